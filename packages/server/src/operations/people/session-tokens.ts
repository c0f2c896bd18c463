/** The secrets of sessions and sign-in links: the org, the place of the record, and 256 random bits. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const encode = (parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

function decode(text: string, count: number): string[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const isGood = Array.isArray(parts) && parts.length === count && parts.every((part) => typeof part === 'string');
    // Base64url decodes several texts to the same bytes. Only one of them is the token.
    return isGood && encode(parts) === text ? (parts as string[]) : undefined;
  } catch {
    return undefined;
  }
}

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashOfSecret = (secret: string): string => hash('sha256', secret, 'base64url');

export function isSecretOf(secretHash: string, secret: string): boolean {
  const [one, two] = [Buffer.from(secretHash), Buffer.from(hashOfSecret(secret))];
  return one.byteLength === two.byteLength && timingSafeEqual(one, two);
}

export interface SessionToken {
  orgId: string;
  personId: string;
  sessionId: string;
  secret: string;
}

export const writeSessionToken = ({ orgId, personId, sessionId, secret }: SessionToken): string =>
  encode([orgId, personId, sessionId, secret]);

export function readSessionToken(token: string): SessionToken | undefined {
  const [orgId, personId, sessionId, secret] = decode(token, 4) ?? [];
  if (!orgId || !personId || !sessionId || !secret) return undefined;
  return { orgId, personId, sessionId, secret };
}

export const writeLinkToken = (orgId: string, secret: string): string => encode([orgId, secret]);

export function readLinkToken(token: string): { orgId: string; secret: string } | undefined {
  const [orgId, secret] = decode(token, 2) ?? [];
  return orgId && secret ? { orgId, secret } : undefined;
}
