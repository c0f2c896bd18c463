/** Checks that a webhook or an answer is genuine, with WebCrypto alone. A separate entry, so that pages do not load it. */
import { type EventType, type FreeObject, type Interaction, type LogEvent, schemeOf } from '@holdpoint/protocol';

/**
 * Checks that the answer was given to exactly this question. Pass `asked`, the digest that you stored when you asked, to
 * also check that this is the question that you asked. Then nobody can have changed the record in between.
 */
export async function verifyAnswer(interaction: Interaction, asked = interaction.digest): Promise<boolean> {
  const { prefix, textOf } = schemeOf(interaction.digest);
  const hash = new Uint8Array(await webCrypto().digest('SHA-256', await bytesOf(textOf(interaction))));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const digests = [asked, interaction.digest, interaction.answer?.digest];
  return digests.every((digest) => digest === `${prefix}${hex}`);
}

export interface ReceivedWebhook {
  /** The body as it arrived, byte for byte. The signature does not fit a body that was parsed and written again. */
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer;
  headers: Iterable<readonly [string, string]> | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Several while you replace one by another. */
  secret: string | readonly string[];
  /** The most by which the time of sending may differ from the local time (300). */
  toleranceSeconds?: number;
}

type Summary = Pick<Interaction, 'id' | 'kind' | 'title' | 'run' | 'trace' | 'metadata'>;

export type WebhookEvent =
  | { type: EventType; timestamp: string; data: LogEvent & { interaction?: Summary } }
  | { type: 'webhook.test'; timestamp: string; data: FreeObject };

/** The webhook did not come from a server with this secret, or it is too old. */
export class WebhookNotVerified extends Error {
  override name = 'WebhookNotVerified';
}

/** Checks that a webhook came from the server that has the secret, by Standard Webhooks. Returns its event. */
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
    // `verify` takes the same time, however much of a signature is right.
    for (const [, signature] of signatures.matchAll(/v1,([a-zA-Z\d+/]{43}=)/g))
      if (await subtle.verify('HMAC', key, fromBase64(signature as string), signed))
        return JSON.parse(await new Blob([body]).text()) as WebhookEvent;
  }
  throw new WebhookNotVerified('Its signature is not valid.');
}

/** A secret in another form than that of the standard is used as text. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> | Promise<ArrayBuffer> =>
  secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : bytesOf(secret);

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Makes bytes with Blob, which every runtime has. */
const bytesOf = (...parts: (string | ArrayBuffer | Uint8Array<ArrayBuffer>)[]): Promise<ArrayBuffer> =>
  new Blob(parts).arrayBuffer();

/** Returns WebCrypto. Throws in a page that came over plain http from another machine, because it has none. */
function webCrypto(): typeof crypto.subtle {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle) return subtle;
  throw new Error('Nothing can be verified in this page: crypto.subtle needs https or localhost.');
}
