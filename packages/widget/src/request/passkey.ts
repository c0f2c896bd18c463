/** Asks the browser for a signature by a passkey. */
import type { AnswerSignature } from '@holdpoint/protocol';

export type SignedAnswer = AnswerSignature;

/** Browsers have passkeys only in pages over https or at localhost. Older ones cannot read options from JSON. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** The person who signs, with the ids of their passkeys. */
export interface Signer {
  id: string;
  passkeys: readonly string[];
}

/** Returns the person of this token. */
export async function loadSigner(server: string, token: string): Promise<Signer> {
  const reply = await fetch(`${server}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const { id, person } = (await reply.json()) as { id: string; person?: { passkeys: { id: string }[] } };
  return { id, passkeys: person?.passkeys.map((passkey) => passkey.id) ?? [] };
}

/** As browsers write an assertion to JSON. */
interface AssertionJson {
  id: string;
  response: { authenticatorData: string; clientDataJSON: string; signature: string };
}

/** Signs the SHA-256 of a text with one of these passkeys. Undefined: the person cancelled, or has none of them here. */
export async function signText(text: string, ids: readonly string[]): Promise<SignedAnswer | undefined> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const challenge = btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge,
    allowCredentials: ids.map((id) => ({ type: 'public-key', id })),
    userVerification: 'required',
  });
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return undefined;
  const { id, response } = credential.toJSON() as AssertionJson;
  const { authenticatorData, clientDataJSON, signature } = response;
  return { credentialId: id, authenticatorData, clientDataJSON, signature };
}
