/** The signatures of Standard Webhooks and of Opengram. */
import { createHmac } from 'node:crypto';

export interface Signed {
  /** The same for every attempt at the same event. */
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** One signature for each secret, so that a receiver may verify with either during a rotation. */
export function standardSignature({ id, timestamp, body }: Signed, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ');
}

export const opengramSignature = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A secret in another form than the standard's signs as plain text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
