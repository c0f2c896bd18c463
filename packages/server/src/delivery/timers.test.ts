import { afterEach, expect, test, vi } from 'vitest';
import type { EventHead } from '../stores/store.ts';
import { Timers } from './timers.ts';

let onStop: () => Promise<void> = async () => {};
afterEach(async () => {
  await onStop();
  vi.useRealTimers();
});

/** Timers by id in memory, on a clock that a test sets; a fired one is removed. */
function setUp({ dueAt, fire }: { dueAt: Record<string, number>; fire?: (id: string) => Promise<void> }) {
  const left = new Map(Object.entries(dueAt));
  const fired: string[] = [];
  const errors: unknown[] = [];
  const listeners = new Set<(heads: readonly EventHead[]) => void>();
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const store = { looks: 0, failures: 0, meanwhile: async () => {} };
  const timers = new Timers({
    store: {
      async claimDue({ kind, now, limit }) {
        if (store.failures-- > 0) throw new Error('the store is unavailable');
        const due = [...left].filter(([, at]) => at <= now);
        return due.slice(0, limit).map(([id]) => ({ kind, orgId: 'o', id, until: now + 1 }));
      },
      async nextDueAt() {
        store.looks++;
        const nextAt = left.size > 0 ? Math.min(...left.values()) : undefined;
        await store.meanwhile();
        return nextAt;
      },
      onCommitted(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock,
    kind: 'interaction',
    movedBy: ['interaction.created', 'interaction.updated'],
    async fire({ id }) {
      await fire?.(id);
      left.delete(id);
      fired.push(id);
    },
    onError: (error) => errors.push(error),
  });
  onStop = () => timers.stop();
  const tell = (type: EventHead['type']) => {
    for (const listener of listeners) listener([{ cursor: '1', orgId: 'o', threadId: 't', seq: 1, type }]);
  };
  return { timers, store, left, fired, errors, clock, listeners, tell };
}

test('[D4] timers that are due at the start fire at once, in several batches, each once', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => `i${index}`);
  const { fired } = setUp({ dueAt: Object.fromEntries(ids.map((id) => [id, 0])) });
  await vi.waitFor(() => expect(fired).toHaveLength(450));
  expect(new Set(fired).size).toBe(450);
});

test('[D4] one that cannot be fired does not hold up the others, and is tried again', async () => {
  let failures = 2;
  const { fired, errors } = setUp({
    dueAt: { bad: 0, good: 0, better: 0 },
    fire: async (id) => {
      if (id === 'bad' && failures-- > 0) throw new Error('the disk is full');
    },
  });
  await vi.waitFor(() => expect(fired).toEqual(['good', 'better']));
  await vi.waitFor(() => expect(fired).toEqual(['good', 'better', 'bad']), { timeout: 20_000 });
  expect(errors).toHaveLength(2);
});

test('[N13] one that hangs does not hold up those that fall due later, and is not fired a second time meanwhile', async () => {
  vi.useFakeTimers({ now: 0 });
  const blocked = Promise.withResolvers<void>();
  let tries = 0;
  const { fired, errors } = setUp({
    dueAt: { blocked: 0, later: 5_000 },
    fire(id) {
      if (id !== 'blocked') return Promise.resolve();
      tries++;
      return blocked.promise;
    },
  });
  await vi.advanceTimersByTimeAsync(7_000);
  expect(fired).toEqual(['later']);
  expect(tries).toBe(1);
  blocked.reject(new Error('its row is locked'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(errors[0]).toEqual(new Error('its row is locked'));
  expect(tries).toBeGreaterThan(1);
});

test('[D4] an unavailable store is asked again', async () => {
  const { store, fired, errors, left, tell } = setUp({ dueAt: {} });
  await vi.waitFor(() => expect(store.looks).toBe(1));
  store.failures = 1;
  left.set('a', 0);
  tell('interaction.created');
  await vi.waitFor(() => expect(fired).toEqual(['a']), { timeout: 20_000 });
  expect(errors).toEqual([new Error('the store is unavailable')]);
});

test('[D4] it fires to the millisecond, also timers that were set later and are due sooner, or were moved', async () => {
  vi.useFakeTimers({ now: 0 });
  const { fired, left, tell } = setUp({ dueAt: { first: 700 } });
  await vi.advanceTimersByTimeAsync(100);
  left.set('sooner', 300);
  tell('interaction.created');
  await vi.advanceTimersByTimeAsync(199);
  expect(fired).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(fired).toEqual(['sooner']);
  left.set('first', 400);
  tell('interaction.updated');
  await vi.advanceTimersByTimeAsync(99);
  expect(fired).toEqual(['sooner']);
  await vi.advanceTimersByTimeAsync(1);
  expect(fired).toEqual(['sooner', 'first']);
});

test('[D4] a change that arrives while it looks is not overlooked', async () => {
  vi.useFakeTimers({ now: 0 });
  const { store, fired, left, tell } = setUp({ dueAt: {} });
  store.meanwhile = async () => {
    store.meanwhile = async () => {};
    left.set('late', 0);
    tell('interaction.created');
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await vi.advanceTimersByTimeAsync(5);
  expect(fired).toEqual(['late']);
});

test('[D4] a thousand changes at once cost one look, and a thousand that move none none at all', async () => {
  vi.useFakeTimers({ now: 0 });
  const { store, tell } = setUp({ dueAt: {} });
  await vi.advanceTimersByTimeAsync(1);
  expect(store.looks).toBe(1);
  for (let count = 0; count < 1000; count++) tell('interaction.created');
  await vi.advanceTimersByTimeAsync(1);
  expect(store.looks).toBe(2);
  for (let count = 0; count < 1000; count++) tell('interaction.answered');
  await vi.advanceTimersByTimeAsync(1);
  expect(store.looks).toBe(2);
});

test('[D4] a clock that jumps is noticed without a change', async () => {
  const { store, fired, clock } = setUp({ dueAt: { a: Date.now() + 3_600_000 } });
  await vi.waitFor(() => expect(store.looks).toBe(1));
  clock.offsetMs += 3_600_000;
  await vi.waitFor(() => expect(fired).toEqual(['a']), { timeout: 20_000 });
});

test('[H7] stopping waits for firing timers. Then no timer fires and no listener is left', async () => {
  const firing = Promise.withResolvers<void>();
  const fire = Promise.withResolvers<void>();
  const { timers, fired, left, listeners, tell } = setUp({
    dueAt: { first: 0 },
    fire() {
      firing.resolve();
      return fire.promise;
    },
  });
  await firing.promise;
  left.set('second', 0);
  tell('interaction.created');
  const stopping = timers.stop();
  fire.resolve();
  await stopping;
  expect(fired).toEqual(['first']);
  expect(listeners.size).toBe(0);
});
