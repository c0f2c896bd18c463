/** From an Authorization header to a caller. */
import { fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Clock } from '../operations/context.ts';
import { operatorOrg } from '../operations/create-org.ts';
import { hashApiKey } from '../operations/new-api-key.ts';
import type { Store } from '../stores/store.ts';
import { isResponderToken, type TokenKeeper } from './responder-tokens.ts';

export interface AuthenticatorOptions {
  store: Pick<Store, 'findApiKey'>;
  tokens: TokenKeeper;
  clock: Clock;
  /** An admin key of the operator's org that stands outside the store: it works as long as it is configured. */
  adminKey?: string;
}

/** A revoked key is refused everywhere within this time. */
const cacheMs = 1_000;
const cacheSize = 10_000;

/** Known keys are told at once: most calls come with one, and a promise for each would cost more than the look-up. */
export type Authenticator = (authorization: string | undefined) => Caller | Promise<Caller>;

export function authenticator({ store, tokens, clock, adminKey }: AuthenticatorOptions): Authenticator {
  const cache = new Map<string, { caller: Caller; until: number }>();
  const adminHash = adminKey === undefined ? undefined : hashApiKey(adminKey);
  const admin: Caller = { kind: 'key', orgId: operatorOrg, keyId: 'admin', role: 'admin' };

  return (authorization) => {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return fail('unauthenticated', 'Send "Authorization: Bearer <key or token>".');
    if (isResponderToken(token)) return responder(token);
    const hash = hashApiKey(token);
    if (hash === adminHash) return admin;
    const cached = cache.get(hash);
    if (cached && cached.until > clock.now() && cached.until <= clock.now() + cacheMs) return cached.caller;
    return keyHolder(hash);
  };

  async function responder(token: string): Promise<Caller> {
    return (await tokens.verify(token)) ?? fail('unauthenticated', 'The token is not valid, or no longer.');
  }

  async function keyHolder(hash: string): Promise<Caller> {
    const stored = await store.findApiKey({ hash });
    if (!stored || stored.record.revokedAt) {
      cache.delete(hash);
      return fail('unauthenticated', 'There is no such API key, or it was revoked.');
    }
    const caller: Caller = { kind: 'key', orgId: stored.orgId, keyId: stored.record.id, role: stored.record.role };
    if (cache.size >= cacheSize) cache.clear();
    cache.set(hash, { caller, until: clock.now() + cacheMs });
    return caller;
  }
}
