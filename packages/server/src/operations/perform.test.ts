import { fail } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Caller } from '../domain/caller.ts';
import type { Change, IdempotencyRecord } from '../stores/store.ts';
import type { Context } from './context.ts';
import { perform } from './perform.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'admin' };

test('[I1] a call that is refused because the same call succeeded meanwhile gets the result of that call', async () => {
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

test('[T3][I1] a call that changes nothing is not written, unless it has an idempotency key', async () => {
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

/** A store with one idempotency key, and a call under it. */
function remembering(fingerprint?: string) {
  const resource = { type: 'thread', id: 't' } as const;
  let stored: IdempotencyRecord | undefined =
    fingerprint === undefined ? undefined : { key: 'k', fingerprint, resource };
  const store = {
    findIdempotency: async () => stored,
    async commit({ idempotency }: Change) {
      stored = idempotency;
      return { ok: true, events: [] };
    },
  };
  return (input: object, content?: unknown) => {
    const request = content === undefined ? {} : { request: { idempotencyKey: 'k', content } };
    return perform({ store, ...request } as unknown as Context, caller, {
      verb: 'createThread',
      input: { idempotencyKey: 'k', ...input },
      attempt: async () => ({ change: {}, resource, result: 'made' }),
      reload: async (id) => `reloaded ${id}`,
    });
  };
}

test('[I22] a request that another version of a dialect translates differently is the same request', async () => {
  const call = remembering();
  expect(await call({ title: 'Chat' }, ['/chats', { name: 'a' }])).toBe('made');
  expect(await call({ title: 'Chat', metadata: { added: 'later' } }, ['/chats', { name: 'a' }])).toBe('reloaded t');
  await expect(call({ title: 'Chat' }, ['/chats', { name: 'b' }])).rejects.toMatchObject({
    code: 'idempotency-key-reused',
  });
});

test('[I21] a key that a newer version has stored is refused, with the reason', async () => {
  await expect(remembering('3:unknown')({})).rejects.toMatchObject({
    code: 'idempotency-key-reused',
    message: expect.stringContaining('A newer version of the server'),
  });
});
