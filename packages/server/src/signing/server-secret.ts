/** Secrets that every node of a server shares, and the plain signatures made with them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FileLinks, LinkClaims } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';

type Meta = Pick<Store, 'getOrCreateMeta'>;

/** Returns the stored secret of this name. The first node that asks creates it. */
export const storedSecret = (store: Meta, name: string): Promise<string> =>
  store.getOrCreateMeta({ key: name, value: randomBytes(32).toString('base64url') });

export const serverSecret = async (store: Meta, name: string): Promise<Buffer> =>
  Buffer.from(await storedSecret(store, name), 'base64url');

export const hmac = (secret: Buffer, content: string | readonly unknown[]): Buffer =>
  createHmac('sha256', secret)
    .update(typeof content === 'string' ? content : JSON.stringify(content))
    .digest();

/** Compares signatures as text, because base64url decodes several texts to the same bytes. */
export function isSameSignature(given: string, right: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(right)];
  return one.byteLength === two.byteLength && timingSafeEqual(one, two);
}

/** Signs links to files. A link opens one file until it expires; nothing about it is stored. */
export async function linkKeeper(store: Meta): Promise<FileLinks> {
  const secret = await serverSecret(store, 'link-secret');
  const sign = ({ orgId, fileId, expires }: LinkClaims) =>
    hmac(secret, ['file', orgId, fileId, expires]).toString('base64url');
  return { sign, isSignedBy: (link, signature) => isSameSignature(signature, sign(link)) };
}

export type CallbackSecrets = (key: { orgId: string; keyId: string }) => string;

/** Derives the secret that signs the callbacks of one API key, so that nothing is stored for each key. */
export async function callbackSecrets(store: Meta): Promise<CallbackSecrets> {
  const root = await serverSecret(store, 'callback-secret');
  return ({ orgId, keyId }) => `whsec_${hmac(root, ['callback', orgId, keyId]).toString('base64')}`;
}
