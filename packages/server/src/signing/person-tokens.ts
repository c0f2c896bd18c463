/** Tokens of a session, for the widget's elements on our own pages. They end with the session. */
import { jwtVerify, SignJWT } from 'jose';
import type { SessionCaller } from '../domain/caller.ts';
import type { Clock } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';
import { serverSecret } from './server-secret.ts';

const prefix = 'hpu_';
const issuer = 'holdpoint';
const seconds = 3_600;

export interface PersonTokens {
  sign(caller: SessionCaller): Promise<{ token: string; expiresAt: number }>;
  /** Returns the person of a token, or undefined if it is forged or expired, or its session has ended. */
  verify(token: string): Promise<SessionCaller | undefined>;
}

export const isPersonToken = (token: string): boolean => token.startsWith(prefix);

/** The session that a token names. */
export interface NamedSession {
  orgId: string;
  personId: string;
  sessionId: string;
}

/** All nodes share the secret. `findCaller` returns the person, if the session has not ended. */
export async function personTokens(
  store: Pick<Store, 'getOrCreateMeta'>,
  clock: Clock,
  findCaller: (session: NamedSession) => Promise<SessionCaller | undefined>,
): Promise<PersonTokens> {
  const secret = await serverSecret(store, 'person-token-secret');
  return {
    async sign({ orgId, person, sessionId }) {
      const exp = Math.ceil(clock.now() / 1000) + seconds;
      const claims = { org: orgId, sid: sessionId, iss: issuer, sub: person.id, exp };
      const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      return { token: prefix + signed, expiresAt: exp * 1000 };
    },
    async verify(token) {
      const read = await readToken(token);
      return read && findCaller(read);
    },
  };

  async function readToken(token: string) {
    try {
      const options = { algorithms: ['HS256'], issuer, currentDate: new Date(clock.now()) };
      const { payload } = await jwtVerify<{ org?: string; sid?: string }>(token.slice(prefix.length), secret, options);
      const { org: orgId, sub: personId, sid: sessionId } = payload;
      return orgId && personId && sessionId ? { orgId, personId, sessionId } : undefined;
    } catch {
      return undefined;
    }
  }
}
