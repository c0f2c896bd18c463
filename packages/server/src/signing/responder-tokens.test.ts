import { expect, test } from 'vitest';
import type { Store } from '../stores/store.ts';
import { tokenKeeper } from './responder-tokens.ts';

const store: Pick<Store, 'getOrCreateMeta'> = { getOrCreateMeta: async ({ value }) => value };
const isRevoked = async () => false;

const claims = { orgId: 'acme', responderId: 'ann', scope: { threadId: 't1' }, expiresAt: Date.now() + 60_000 };

test('[PE4] a token that does not name its key is valid, and its actors have none', async () => {
  const { sign, verify } = await tokenKeeper(store, { now: Date.now }, isRevoked);
  const holder = { kind: 'responder', orgId: 'acme', responderId: 'ann', scope: { threadId: 't1' } };
  expect(await verify(await sign(claims))).toEqual(holder);
  expect(await verify(await sign({ ...claims, keyId: 'k1' }))).toEqual({ ...holder, keyId: 'k1' });
});
