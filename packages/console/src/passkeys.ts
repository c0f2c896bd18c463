/** Adds passkeys and signs in with them, by the platform's own calls. */
import type { Passkey } from '@holdpoint/protocol';
import { postJson } from './service.ts';
import { SignInRefused } from './session.ts';

/** Browsers have passkeys only in pages over https or at localhost. Older ones cannot read options from JSON. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** The address at which this page could use passkeys, if it is one of this machine without a host name. */
export const addressWithPasskeys = (): string | undefined =>
  /^(127\.|\[::1\])/.test(location.hostname)
    ? `${location.protocol}//localhost${location.port && `:${location.port}`}/${location.hash}`
    : undefined;

/** Without `consoleFetch`, because a rejected sign-in does not end the session that the browser has. */
async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'x-holdpoint-console': '1', 'content-type': 'application/json' };
  return read(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function read<T>(reply: Response): Promise<T> {
  const answer: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return answer as T;
  const { code, detail } = (answer ?? {}) as { code?: SignInRefused['code']; detail?: string };
  throw new SignInRefused(code, detail ?? `The server answered with status ${reply.status}.`);
}

const cancelled = (): never => {
  throw new Error('Your device did not confirm. Try again.');
};

/** Has the device create a passkey, and adds it to the profile. */
export async function addPasskey(name: string): Promise<Passkey> {
  const options = await read<PublicKeyCredentialCreationOptionsJSON>(await postJson('/console/passkeys/options', {}));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    if ((error as Error).name === 'InvalidStateError') throw new Error('This device already has a passkey of yours.');
    return null;
  });
  if (!(made instanceof PublicKeyCredential)) return cancelled();
  return read(await postJson('/console/passkeys', { name, response: made.toJSON() }));
}

export async function signInWithPasskey(): Promise<void> {
  const options = await post<PublicKeyCredentialRequestOptionsJSON>('/console/sign-in/passkey/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(used instanceof PublicKeyCredential)) return cancelled();
  await post('/console/sign-in/passkey', { response: used.toJSON() });
}
