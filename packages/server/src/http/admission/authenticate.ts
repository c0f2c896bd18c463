/** Turns an Authorization header into a caller. */
import { fail } from '@holdpoint/protocol';
import { type Caller, configuredKeyId } from '../../domain/caller.ts';
import { hashApiKey } from '../../operations/access/api-keys.ts';
import { operatorOrg } from '../../operations/access/orgs.ts';
import type { Clock } from '../../operations/context.ts';
import { isResponderToken, type TokenKeeper } from '../../signing/responder-tokens.ts';
import type { Store } from '../../stores/store.ts';

interface AuthenticatorOptions {
  store: Pick<Store, 'findApiKey'>;
  tokens: TokenKeeper;
  clock: Clock;
  /** An admin key of the operator's org that is not stored. It is valid as long as it is configured. */
  adminKey?: string;
}

/** All nodes reject a revoked key within this time. */
const cacheMs = 1_000;
const cacheSize = 10_000;

/** Returns the caller of a known key without a promise, which would cost more than the look-up. Most calls have one. */
export type Authenticator = (authorization: string | undefined) => Caller | Promise<Caller>;

export function authenticator({ store, tokens, clock, adminKey }: AuthenticatorOptions): Authenticator {
  const known = new Map<string, { caller: Caller; until: number }>();
  const adminHash = adminKey === undefined ? undefined : hashApiKey(adminKey);
  const admin: Caller = { kind: 'key', orgId: operatorOrg, keyId: configuredKeyId, role: 'admin' };

  return (authorization = '') => {
    const now = clock.now();
    const holder = known.get(authorization);
    if (holder && holder.until > now && holder.until <= now + cacheMs) return holder.caller;
    known.delete(authorization);
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) return fail('unauthenticated', 'Send "Authorization: Bearer <key or token>".');
    return isResponderToken(token) ? responder(token) : keyHolder(token);
  };

  async function responder(token: string): Promise<Caller> {
    return (await tokens.verify(token)) ?? fail('unauthenticated', 'The token is invalid or has expired.');
  }

  /** Caches the key under one form of the header. Otherwise one key in ten thousand forms would evict all other keys. */
  async function keyHolder(token: string): Promise<Caller> {
    const hash = hashApiKey(token);
    const caller = hash === adminHash ? admin : await storedKeyHolder(hash);
    const [oldest = ''] = known.keys();
    if (known.size >= cacheSize) known.delete(oldest);
    known.set(`Bearer ${token}`, { caller, until: clock.now() + cacheMs });
    return caller;
  }

  async function storedKeyHolder(hash: string): Promise<Caller> {
    const { orgId, record } = (await store.findApiKey({ hash })) ?? {};
    if (!orgId || !record || record.revokedAt)
      return fail('unauthenticated', 'The API key does not exist or was revoked.');
    return { kind: 'key', orgId, keyId: record.id, role: record.role };
  }
}
