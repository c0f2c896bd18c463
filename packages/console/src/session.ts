/** Signs in and out, and gets tokens for the widget's elements. The session is a cookie that no script can read. */
import { defined, type ResponderToken } from '@holdpoint/protocol';
import { userName } from './preferences.ts';
import { service } from './service.ts';

export type ConsoleSession =
  | { signedIn: true; orgId: string; isLocal: boolean; expiresAt: string }
  | {
      signedIn: false;
      /** True if this browser runs on the server's machine and needs no key. */
      mayEnter: boolean;
    };

export const loadSession = (): Promise<ConsoleSession> => call('GET');
export const signIn = (key?: string): Promise<ConsoleSession> => call('POST', key === undefined ? {} : { key });
export const signOut = (): Promise<ConsoleSession> => call('DELETE');

/** The server rejected a sign-in. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

async function call(method: string, body?: object): Promise<ConsoleSession> {
  const reply = await fetch('/console/session', {
    method,
    headers: { 'x-holdpoint-console': '1', ...defined({ 'content-type': body ? 'application/json' : undefined }) },
    ...defined({ body: body ? JSON.stringify(body) : undefined }),
  });
  const answer: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return (answer ?? { signedIn: false, mayEnter: false }) as ConsoleSession;
  const { detail } = (answer ?? {}) as { detail?: string };
  throw new SignInRefused(reply.status, detail ?? `The server answered with status ${reply.status}.`);
}

export type TokenScope = { interactionId: string } | { threadId: string } | { inbox: true };

const ttlSeconds = 3_600;
const spareMs = 60_000;
const tokens = new Map<string, Promise<ResponderToken>>();

/** Gets a token that is valid for at least another minute. */
export async function tokenFor(scope: TokenScope, responderId = userName()): Promise<string> {
  const name = JSON.stringify([scope, responderId]);
  const known = await tokens.get(name)?.catch(() => undefined);
  if (known && Date.parse(known.expiresAt) - Date.now() > spareMs) return known.token;
  const minting = service.mintResponderToken({ responderId, ttlSeconds, ...scope });
  tokens.set(name, minting);
  return (await minting).token;
}

/** The next user to sign in must not use the tokens of the last one. */
export const forgetTokens = (): void => tokens.clear();
