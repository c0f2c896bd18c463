/** Signing in and out. The cookie that comes of it is for the server alone; no script reads it. */
import { defined } from '@holdpoint/protocol';
export type ConsoleSession =
  | { signedIn: true; orgId: string; isLocal: boolean; expiresAt: string }
  | {
      signedIn: false;
      /** This browser is on the server's machine and needs no key. */
      mayEnter: boolean;
    };

export const loadSession = (): Promise<ConsoleSession> => call('GET');
export const signIn = (key?: string): Promise<ConsoleSession> => call('POST', key === undefined ? {} : { key });
export const signOut = (): Promise<ConsoleSession> => call('DELETE');

/** What the server said of a sign-in that it refused. */
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
  const told: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return (told ?? { signedIn: false, mayEnter: false }) as ConsoleSession;
  const { detail } = (told ?? {}) as { detail?: string };
  throw new SignInRefused(reply.status, detail ?? `The server answered with status ${reply.status}.`);
}
