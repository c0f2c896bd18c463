import { expect, test } from 'vitest';
import type { EventHead } from '../stores/store.ts';
import { waitHub } from './waits.ts';

const long = 600_000;

function setUp() {
  let tell: (heads: readonly EventHead[]) => void = () => {};
  const hub = waitHub({
    onCommitted(listener) {
      tell = listener;
      return () => {};
    },
  });
  const head: EventHead = { cursor: '1', orgId: 'o', threadId: 't', seq: 1, type: 'interaction.answered' };
  return { hub, change: (interactionId: string) => tell([{ ...head, interactionId }]) };
}

test('[W1] a change of the interaction wakes everybody who waits for it, and nobody else', async () => {
  const { hub, change } = setUp();
  const [one, other, elsewhere] = [hub.listen('a'), hub.listen('a'), hub.listen('b')];
  const waiting = [one.next(long), other.next(long)];
  const gone = new AbortController();
  const undisturbed = elsewhere.next(long, gone.signal);
  change('a');
  expect(await Promise.all(waiting)).toEqual([true, true]);
  gone.abort();
  expect(await undisturbed).toBe(false);
});

test('[W2] a change between two waits is found by the second, once', async () => {
  const { hub, change } = setUp();
  const listening = hub.listen('a');
  change('a');
  expect(await listening.next(long)).toBe(true);
  expect(await listening.next(1)).toBe(false);
  change('a');
  change('a');
  expect(await listening.next(long)).toBe(true);
  expect(await listening.next(0)).toBe(false);
});

test('[W3] closing lets everybody go, also who comes later, but a change that came first is still told', async () => {
  const { hub, change } = setUp();
  const [waiter, changed] = [hub.listen('a'), hub.listen('b')];
  const waiting = waiter.next(long);
  change('b');
  hub.close();
  expect(await waiting).toBe(false);
  expect(await changed.next(long)).toBe(true);
  expect(await changed.next(long)).toBe(false);
  expect(await hub.listen('c').next(long)).toBe(false);
});

test('[W1] who has gone away or has no time left does not wait', async () => {
  const { hub } = setUp();
  const listening = hub.listen('a');
  expect(await listening.next(long, AbortSignal.abort())).toBe(false);
  expect(await listening.next(-1)).toBe(false);
});

test('[W1] waiters that stop leave nothing behind', async () => {
  const { hub, change } = setUp();
  let listeners = 0;
  const signal = {
    aborted: false,
    addEventListener: () => void listeners++,
    removeEventListener: () => void listeners--,
  };
  const [one, other] = [hub.listen('a'), hub.listen('a')];
  const waiting = one.next(long, signal);
  expect([hub.size(), listeners]).toEqual([2, 1]);
  change('a');
  await waiting;
  one.stop();
  one.stop();
  expect([hub.size(), listeners]).toEqual([1, 0]);
  other.stop();
  expect(hub.size()).toBe(0);
});
