/** Responder tokens: signed, short-lived, limited to one thread or one interaction. Nothing about them is stored. */
import { defined } from '@holdpoint/protocol';
import { jwtVerify, SignJWT } from 'jose';
import type { Caller, TokenScope } from '../domain/caller.ts';
import type { Clock, ResponderTokens } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';
import { serverSecret } from './server-secret.ts';

const prefix = 'hpr_';
const issuer = 'holdpoint';

export interface TokenKeeper extends ResponderTokens {
  /** Returns the caller of a token, or undefined if it is forged, malformed or expired. */
  verify(token: string): Promise<Caller | undefined>;
}

export const isResponderToken = (token: string): boolean => token.startsWith(prefix);

/** All nodes share the secret. */
export async function tokenKeeper(store: Pick<Store, 'getOrCreateMeta'>, clock: Clock): Promise<TokenKeeper> {
  const secret = await serverSecret(store, 'token-secret');
  return {
    async sign({ orgId, responderId, scope, expiresAt }) {
      const times = { iat: Math.floor(clock.now() / 1000), exp: Math.floor(expiresAt / 1000) };
      const claims = { org: orgId, ...toClaims(scope), iss: issuer, sub: responderId, ...times };
      return prefix + (await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret));
    },
    async verify(token) {
      try {
        const options = { algorithms: ['HS256'], issuer, currentDate: new Date(clock.now()) };
        const { payload } = await jwtVerify<Claims>(token.slice(prefix.length), secret, options);
        const { org, sub, ...claims } = payload;
        const scope = toScope(claims);
        return org && sub && scope ? { kind: 'responder', orgId: org, responderId: sub, scope } : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

interface Claims {
  org?: string;
  thread?: string;
  interaction?: string;
  session?: boolean;
  inbox?: boolean;
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
