/** Signs people in and out, and gets a token for the widget's elements. The session is a cookie that no script can read. */
import { defined, type ErrorCode, type Me, type Person } from '@holdpoint/protocol';
import { postJson } from './service.ts';

/** The caller of a session. */
export interface SignedIn extends Me {
  person: Person;
  sessionId: string;
}

/** `publicUrl`: the base of the addresses that the server gives to others. */
export type ConsoleSession = { signedIn: true; me: SignedIn; publicUrl?: string } | { signedIn: false };

/** The owner of a sign-in link. */
export interface LinkOwner {
  /** The person who uses the link enters a name and becomes the first admin. */
  isFirstAdmin: boolean;
  name?: string;
}

/** An identity provider that is set up on the server. */
export interface Provider {
  id: string;
  name: string;
  /** The people to ask if the sign-in fails. */
  contact?: string;
}

const path = '/console/session';

export const loadSession = (): Promise<ConsoleSession> => call('GET', path);

/** Changes nothing. The link still works afterwards. */
export const describeLink = (link: string): Promise<LinkOwner> => call('POST', '/console/sign-in-link', { link });

export const signIn = (link: string, name?: string): Promise<unknown> =>
  call('POST', path, { link, ...defined({ name }) });

/** Returns the address at which the session of the identity provider ends too, if there is one. */
export async function signOut(): Promise<string | undefined> {
  const ended = await call<{ endSessionUrl?: string } | undefined>('DELETE', path);
  forgetPerson();
  return ended?.endSessionUrl;
}

/** Empty if the list cannot be read. A sign-in link works without it. Without an org, the org of the operator. */
export const loadProviders = (org: string | undefined): Promise<readonly Provider[]> =>
  call<{ providers: readonly Provider[] }>(
    'GET',
    org === undefined ? '/console/sign-in' : `/console/sign-in?${new URLSearchParams({ org })}`,
  ).then(
    ({ providers }) => providers,
    () => [],
  );

/** The address of the page at which a sign-in with a provider begins. The provider returns the user to `to`. */
export const providerStart = ({ id }: Provider, to: string): string =>
  `/auth/${encodeURIComponent(id)}/start?${new URLSearchParams({ to })}`;

/** The server rejected a sign-in. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly code: ErrorCode | undefined;

  constructor(code: ErrorCode | undefined, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Without `consoleFetch`, because a rejected sign-in does not end the session that the browser has. */
async function call<T>(method: string, to: string, body?: object): Promise<T> {
  const reply = await fetch(to, {
    method,
    headers: { 'x-holdpoint-console': '1', ...defined({ 'content-type': body ? 'application/json' : undefined }) },
    ...defined({ body: body && JSON.stringify(body) }),
  });
  const answer: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return answer as T;
  const { code, detail } = (answer ?? {}) as { code?: ErrorCode; detail?: string };
  throw new SignInRefused(code, detail ?? `The server answered with status ${reply.status}.`);
}

interface PersonToken {
  token: string;
  expiresAt: string;
}

const spareMs = 60_000;
let current: Promise<PersonToken> | undefined;

/** Gets a token of the session that is valid for at least another minute. It ends with the session. */
export async function personToken(): Promise<string> {
  const known = await current?.catch(() => undefined);
  if (known && Date.parse(known.expiresAt) - Date.now() > spareMs) return known.token;
  const creating = createToken();
  current = creating;
  return (await creating).token;
}

async function createToken(): Promise<PersonToken> {
  const reply = await postJson('/console/token', {});
  if (!reply.ok) throw new Error(`The server answered with status ${reply.status}.`);
  return (await reply.json()) as PersonToken;
}

/** The session has ended. A token of it would be rejected. */
export const forgetToken = (): void => {
  current = undefined;
};

const sessionKey = 'holdpoint-console-session';
const personKey = 'holdpoint-console-person';
const draftPrefix = 'holdpoint-draft ';

/** Reports whether the user signed in or out in another tab of this browser. */
export const isSessionChange = (event: Event): boolean => event instanceof StorageEvent && event.key === sessionKey;

/** Removes what another person typed in this browser, and tells the other tabs about the session. */
export function rememberSession({ person, sessionId }: { person: Person; sessionId: string }): void {
  if (localStorage.getItem(personKey) !== person.id) forgetPerson();
  localStorage.setItem(personKey, person.id);
  localStorage.setItem(sessionKey, sessionId);
}

/** True after signing out, and false after a session that ended in another way. */
export const hasSignedOut = (): boolean => localStorage.getItem(personKey) === null;

function forgetPerson(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key);
  localStorage.removeItem(personKey);
  localStorage.removeItem(sessionKey);
}
