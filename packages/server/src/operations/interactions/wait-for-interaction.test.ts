import { HoldpointError, type Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Caller } from '../../domain/caller.ts';
import type { Context, Waiter } from '../context.ts';
import { waitForInteraction } from './interactions.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'agent' };
const long = 60_000;

/** A store whose reads continue one by one, so that a test can place changes between them. */
function setUp() {
  let status = 'pending';
  const reads: { through(): void; fail(): void }[] = [];
  let waiter: Waiter | undefined;
  const context = {
    store: {
      getInteraction: () =>
        new Promise<Interaction | undefined>((resolve, reject) => {
          const seen = { id: 'i', threadId: 't', status } as Interaction;
          reads.push({
            through: () => resolve(seen),
            fail: () => reject(new HoldpointError({ code: 'storage-unavailable', detail: 'It is away.' })),
          });
        }),
    },
    waits: {
      add: (_id: string, added: Waiter) => {
        waiter = added;
      },
      remove: () => {
        waiter = undefined;
      },
    },
  } as unknown as Context;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    context,
    answer() {
      status = 'answered';
      waiter?.change();
    },
    end: () => waiter?.end(),
    isWaiting: () => waiter !== undefined,
    async read() {
      reads.shift()?.through();
      await turn();
    },
    async failToRead() {
      reads.shift()?.fail();
      await turn();
    },
    readsUnderWay: () => reads.length,
  };
}

test('[W2] an answer that lands during the first load is found by a second load', async () => {
  const { context, answer, read, isWaiting } = setUp();
  const waiting = waitForInteraction(context, caller, { interactionId: 'i', timeoutMs: long });
  answer();
  await read();
  expect(isWaiting()).toBe(true);
  await read();
  expect((await waiting).status).toBe('answered');
  expect(isWaiting()).toBe(false);
});

test('[W1] several changes during a load cause one more load', async () => {
  const { context, answer, read, readsUnderWay } = setUp();
  const waiting = waitForInteraction(context, caller, { interactionId: 'i', timeoutMs: long });
  await read();
  answer();
  answer();
  answer();
  expect(readsUnderWay()).toBe(1);
  await read();
  expect((await waiting).status).toBe('answered');
});

test('[W1] when the time is up, the interaction is returned as it is', async () => {
  const { context, read, readsUnderWay } = setUp();
  const waiting = waitForInteraction(context, caller, { interactionId: 'i', timeoutMs: 0 });
  await read();
  await expect.poll(readsUnderWay).toBe(1);
  await read();
  expect((await waiting).status).toBe('pending');
});

test('[W3] a stopping server ends the wait, but still returns an answer that came first', async () => {
  const { context, answer, end, read } = setUp();
  const waiting = waitForInteraction(context, caller, { interactionId: 'i', timeoutMs: long });
  answer();
  end();
  await read();
  await read();
  expect((await waiting).status).toBe('answered');
});

test('[W1] the wait of a caller that has gone ends, and leaves no listener', async () => {
  const { context, read, isWaiting } = setUp();
  const gone = new AbortController();
  const waiting = waitForInteraction(context, caller, { interactionId: 'i', timeoutMs: long, signal: gone.signal });
  await read();
  expect(isWaiting()).toBe(true);
  gone.abort();
  await read();
  await waiting;
  expect(isWaiting()).toBe(false);
});

test('[W2] a store that is unavailable for a moment does not end a wait that has begun', async () => {
  const { context, answer, read, failToRead, isWaiting, readsUnderWay } = setUp();
  const waiting = waitForInteraction(context, caller, { interactionId: 'i', timeoutMs: long });
  await read();
  answer();
  await failToRead();
  expect(isWaiting()).toBe(true);
  await expect.poll(readsUnderWay).toBe(1);
  await read();
  expect((await waiting).status).toBe('answered');
});

test('[W1] a wait that cannot begin, or whose time is up while the store is unavailable, fails', async () => {
  const away = { code: 'storage-unavailable' };
  const first = setUp();
  const neverBegun = waitForInteraction(first.context, caller, { interactionId: 'i', timeoutMs: long });
  const refused = expect(neverBegun).rejects.toMatchObject(away);
  await first.failToRead();
  await refused;
  const second = setUp();
  const begun = waitForInteraction(second.context, caller, { interactionId: 'i', timeoutMs: long });
  const ended = expect(begun).rejects.toMatchObject(away);
  await second.read();
  second.end();
  await second.failToRead();
  await ended;
  expect([first.isWaiting(), second.isWaiting()]).toEqual([false, false]);
});
