import { fail } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Caller } from '../domain/caller.ts';
import type { Change, IdempotencyRecord } from '../stores/store.ts';
import type { Context } from './context.ts';
import { perform } from './perform.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'admin' };

test('[I1] a call that is refused because its twin was done meanwhile gets what the twin made', async () => {
  let stored: IdempotencyRecord | undefined;
  const context = {
    store: {
      findIdempotency: async () => stored,
      async commit({ idempotency }: Change) {
        stored = idempotency;
        return { ok: true, events: [] };
      },
    },
  } as unknown as Context;
  const call = (attempt: () => Promise<{ change: object; resource: IdempotencyRecord['resource']; result: string }>) =>
    perform(context, caller, {
      verb: 'submitAnswer',
      input: { idempotencyKey: 'once' },
      attempt,
      reload: async (id) => `reloaded ${id}`,
    });
  const twin = async () => ({ change: {}, resource: { type: 'interaction', id: 'i' } as const, result: 'done' });
  const late = call(async () => {
    expect(await call(twin)).toBe('done');
    return fail('interaction-already-answered', 'Somebody was faster.');
  });
  expect(await late).toBe('reloaded i');
  stored = undefined;
  const refused = call(async () => fail('interaction-already-answered', 'Somebody else was faster.'));
  await expect(refused).rejects.toMatchObject({ code: 'interaction-already-answered' });
});

test('[T3][I1] what changes nothing is not written, unless to remember that it was done', async () => {
  const changes: Change[] = [];
  const store = {
    findIdempotency: async () => undefined,
    async commit(change: Change) {
      changes.push(change);
      return { ok: true, events: [] };
    },
  };
  const resource = { type: 'thread', id: 't' } as const;
  const call = (input: { idempotencyKey?: string }) =>
    perform({ store } as unknown as Context, caller, {
      verb: 'updateThread',
      input,
      attempt: async () => ({ change: {}, resource, result: 'as it was' }),
      reload: async () => 'reloaded',
    });
  expect(await call({})).toBe('as it was');
  expect(changes).toEqual([]);
  expect(await call({ idempotencyKey: 'once' })).toBe('as it was');
  expect(changes).toEqual([{ orgId: 'o', idempotency: { key: 'once', fingerprint: expect.any(String), resource } }]);
});
