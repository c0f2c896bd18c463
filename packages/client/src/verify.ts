/** Checks that a webhook or an answer is genuine, with WebCrypto alone. A separate entry, so that pages do not load it. */
import {
  type Answer,
  answerChallenge,
  defined,
  type EventType,
  type FreeObject,
  type Interaction,
  isDecided,
  jsonEqual,
  type LogEvent,
  schemeOf,
} from '@holdpoint/protocol';
import { checkSignature } from './check-signature.ts';
import { bytesOf, fromBase64, toBase64Url, webCrypto } from './web-crypto.ts';

export { checkSignature, type SignedBy } from './check-signature.ts';

/** A passkey that you trust, such as one of `person.passkeys`. */
export interface TrustedPasskey {
  id: string;
  /** The public key, as the JSON text of a JWK. */
  publicKey: string;
  /** The person whose passkey it is. Give it if you trust passkeys of several people. */
  personId?: string;
}

export interface VerifyOptions {
  /** The digest that you stored when you asked. Then nobody can have changed the question in between. */
  asked?: string | undefined;
  /** Also checks that people with these passkeys signed the answer and every other vote. A function finds them by id. */
  passkeys?: readonly TrustedPasskey[] | ((id: string, personId: string) => Found | Promise<Found>);
}

type Found = TrustedPasskey | undefined;

/**
 * Checks that the answer was given to exactly this question. Pass `asked`, the digest that you stored when you asked, to
 * also check that this is the question that you asked. Pass `passkeys` to also check the signatures of the people who
 * answered. Then nobody who can change the database can have made up or changed their answers.
 */
export async function verifyAnswer(
  interaction: Interaction,
  options: VerifyOptions | string | undefined = {},
): Promise<boolean> {
  const { asked = interaction.digest, passkeys } = typeof options === 'string' ? { asked: options } : options;
  const { prefix, textOf } = schemeOf(interaction.digest);
  const hash = await sha256(textOf(interaction));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const digests = [asked, interaction.digest, interaction.answer?.digest];
  if (!digests.every((digest) => digest === `${prefix}${hex}`)) return false;
  return passkeys === undefined || (await isSignedByPeople(interaction, passkeys));
}

/** Every vote must be signed by another person, and the last one must be the answer, because it decides. */
async function isSignedByPeople(
  interaction: Interaction,
  passkeys: NonNullable<VerifyOptions['passkeys']>,
): Promise<boolean> {
  const { answer, votes } = interaction;
  if (!answer || !jsonEqual(votes.at(-1), answer) || !isDecided(interaction, votes)) return false;
  // A deputy's vote is also that of the absent person.
  const people = votes.flatMap(({ by }) => [by.id, by.onBehalfOf].filter((id) => id !== undefined));
  if (new Set(people).size < people.length) return false;
  for (const vote of votes) if (!(await isSignedVote(interaction, vote, passkeys))) return false;
  return true;
}

async function isSignedVote(
  { id: interactionId, digest }: Interaction,
  { by, decision, values, payload, secretFields, digest: seen, signature }: Answer,
  passkeys: NonNullable<VerifyOptions['passkeys']>,
): Promise<boolean> {
  if (!signature || seen !== digest) return false;
  const { credentialId: id } = signature;
  const given = typeof passkeys === 'function' ? await passkeys(id, by.id) : passkeys.find((each) => each.id === id);
  if (!given || (given.personId !== undefined && given.personId !== by.id)) return false;
  const about = { interactionId, digest, personId: by.id, decision, values };
  const text = answerChallenge({ ...about, ...defined({ payload, secretFields }) });
  const challenge = toBase64Url(await sha256(text));
  return (await checkSignature(signature, { publicKey: given.publicKey, challenge })) !== undefined;
}

const sha256 = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await webCrypto().digest('SHA-256', await bytesOf(text)));

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
