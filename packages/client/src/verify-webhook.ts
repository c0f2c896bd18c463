/** Whether a webhook came from the server that holds the secret, by Standard Webhooks and WebCrypto alone. */
import type { EventType, FreeObject, Interaction, LogEvent } from '@holdpoint/protocol';
import { bytesOf, webCrypto } from './bytes.ts';

export interface ReceivedWebhook {
  /** As it came, byte for byte: what was parsed and written again is signed by nobody. */
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer;
  headers: Iterable<readonly [string, string]> | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Several while one takes the place of another. */
  secret: string | readonly string[];
  /** By how much the time of sending may differ from ours (300). */
  toleranceSeconds?: number;
}

type Summary = Pick<Interaction, 'id' | 'kind' | 'title' | 'run' | 'trace' | 'metadata'>;

export type WebhookEvent =
  | { type: EventType; timestamp: string; data: LogEvent & { interaction?: Summary } }
  | { type: 'webhook.test'; timestamp: string; data: FreeObject };

/** It is not to be believed. */
export class WebhookNotVerified extends Error {
  override name = 'WebhookNotVerified';
}

export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = 300 } = received;
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const given = new Map(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const [id, timestamp, signatures = ''] = ['id', 'timestamp', 'signature'].map((name) => given.get(`webhook-${name}`));
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookNotVerified('Its timestamp is not valid.');
  const subtle = webCrypto();
  const signed = await bytesOf(`${id}.${timestamp}.`, body);
  for (const each of [secret].flat()) {
    const key = await subtle.importKey('raw', await keyOf(each), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // In a time that does not depend on how much of it is right.
    for (const [, signature] of signatures.matchAll(/v1,([a-zA-Z\d+/]{43}=)/g))
      if (await subtle.verify('HMAC', key, fromBase64(signature as string), signed))
        return JSON.parse(await new Blob([body]).text()) as WebhookEvent;
  }
  throw new WebhookNotVerified('Its signature is not valid.');
}

/** A secret that is not in the form of the standard signs as the text it is. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> | Promise<ArrayBuffer> =>
  secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : bytesOf(secret);

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
