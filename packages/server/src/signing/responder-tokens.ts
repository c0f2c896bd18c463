/** Responder tokens: signed, short-lived, limited to one thread or one interaction. Only their revocation is stored. */
import { defined } from '@holdpoint/protocol';
import { jwtVerify, SignJWT } from 'jose';
import type { TokenScope } from '../domain/caller.ts';
import type { Clock, ResponderTokens } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';
import { serverSecret } from './server-secret.ts';

const prefix = 'hpr_';
const issuer = 'holdpoint';

export type TokenKeeper = ResponderTokens;

export const isResponderToken = (token: string): boolean => token.startsWith(prefix);

/** A token whose signature is valid. */
export interface IssuedToken {
  token: string;
  orgId: string;
  responderId: string;
  issuedAt: number;
}

/** All nodes share the secret. */
export async function tokenKeeper(
  store: Pick<Store, 'getOrCreateMeta'>,
  clock: Clock,
  isRevoked: (issued: IssuedToken) => Promise<boolean>,
): Promise<TokenKeeper> {
  const secret = await serverSecret(store, 'token-secret');
  return {
    async sign({ orgId, responderId, scope, expiresAt, keyId: key, issuedBy }) {
      const times = { iat: clock.now() / 1000, exp: Math.floor(expiresAt / 1000) };
      const issuers = defined({ key, issuedBy });
      const claims = { org: orgId, ...toClaims(scope), ...issuers, iss: issuer, sub: responderId, ...times };
      return prefix + (await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret));
    },
    async verify(token) {
      const read = await readToken(token);
      if (!read || (await isRevoked({ ...read, token }))) return undefined;
      const { issuedAt: _at, ...holder } = read;
      return { kind: 'responder', ...holder };
    },
  };

  async function readToken(token: string) {
    try {
      const options = { algorithms: ['HS256'], issuer, currentDate: new Date(clock.now()) };
      const { payload } = await jwtVerify<Claims>(token.slice(prefix.length), secret, options);
      const { org: orgId, sub: responderId, iat = 0, key: keyId, issuedBy, ...claims } = payload;
      const scope = toScope(claims);
      if (!orgId || !responderId || !scope) return undefined;
      return { orgId, responderId, scope, ...defined({ keyId, issuedBy }), issuedAt: iat * 1000 };
    } catch {
      return undefined;
    }
  }
}

interface Claims {
  org?: string;
  thread?: string;
  interaction?: string;
  session?: boolean;
  inbox?: boolean;
  /** Tokens of earlier versions do not name the key that created them. */
  key?: string;
  issuedBy?: string[];
}

function toClaims(scope: TokenScope): Claims {
  if ('inbox' in scope) return { inbox: true };
  const { threadId: thread, interactionId, isSession } = scope;
  return { thread, ...defined({ interaction: interactionId || undefined, session: isSession || undefined }) };
}

function toScope({ thread: threadId, interaction, session, inbox }: Claims): TokenScope | undefined {
  if (threadId)
    return { threadId, ...defined({ interactionId: interaction || undefined, isSession: session || undefined }) };
  return inbox === true ? { inbox } : undefined;
}
