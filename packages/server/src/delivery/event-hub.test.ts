import type { LogEvent } from '@holdpoint/protocol';
import { expect, test, vi } from 'vitest';
import type { EventHead } from '../stores/store.ts';
import { EventHub, type Sink } from './event-hub.ts';

const cursorOf = (position: number): string => String(position).padStart(16, '0');

/** A log in memory with the store's promises: reads see what is committed, listeners hear of it afterwards. */
function setUp(earlier = 0) {
  const events: LogEvent[] = [];
  const listeners = new Set<(heads: readonly EventHead[]) => void>();
  let reads = 0;
  let failure: Error | undefined;
  const store = {
    headCursor: async () => cursorOf(events.length),
    readEvents: async ({ after, limit }: { after: string; limit: number }) => {
      reads++;
      if (failure) throw failure;
      return events.filter(({ cursor }) => cursor > after).slice(0, limit);
    },
    onCommitted(listener: (heads: readonly EventHead[]) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const add = (text = '') => {
    const seq = events.length + 1;
    const event: LogEvent = {
      cursor: cursorOf(seq),
      threadId: 't',
      seq,
      type: 'message.created',
      at: '2030-01-01T00:00:00Z',
      actor: { type: 'agent', id: 'a' },
      data: { text },
    };
    events.push(event);
    return event;
  };
  const commit = (text?: string) => {
    const { cursor, threadId, seq, type } = add(text);
    for (const listener of listeners) listener([{ cursor, orgId: 'o', threadId, seq, type }]);
  };
  for (let count = 0; count < earlier; count++) add();
  const hub = new EventHub(store, ({ seq, data }) => `${seq} ${data.text}`);
  return { hub, commit, listeners, reads: () => reads, fail: (error?: Error) => (failure = error) };
}

class TestSink implements Sink {
  got: number[] = [];
  ended = 0;
  drains: () => Promise<void> = async () => {};
  send = (frame: string) => void this.got.push(Number.parseInt(frame, 10));
  drained = () => this.drains();
  end = () => void this.ended++;
}

function follow(hub: EventHub, sink: Sink, after = 0) {
  const gone = new AbortController();
  const following = hub.follow({ orgId: 'o', filter: {}, after: cursorOf(after), sink }, gone.signal);
  following.catch(() => {});
  return { following, leave: () => gone.abort() };
}

const oneTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('[L3] a follower gets everything after its cursor, then everything new, once each and in order', async () => {
  const { hub, commit } = setUp(450);
  const sink = new TestSink();
  const { following } = follow(hub, sink, 3);
  await following;
  expect(sink.got).toEqual(oneTo(450, 4));
  for (let count = 0; count < 250; count++) commit();
  await vi.waitFor(() => expect(sink.got).toEqual(oneTo(700, 4)));
});

test('[L3] events that commit at any step of joining are neither lost nor doubled', async () => {
  for (let step = 0; step < 40; step++) {
    const { hub, commit } = setUp(5);
    const other = new TestSink();
    const first = follow(hub, other);
    await first.following;
    const sink = new TestSink();
    const { following } = follow(hub, sink);
    for (let turn = 0; turn < step; turn++) await Promise.resolve();
    commit();
    if (step % 2 === 0) first.leave();
    await following;
    commit();
    await vi.waitFor(() => expect(sink.got).toEqual(oneTo(7)), { interval: 1 });
  }
});

test('[L3] a follower that joins as the last one leaves still gets what is new', async () => {
  for (let step = 0; step < 12; step++) {
    const { hub, commit } = setUp(1);
    const first = follow(hub, new TestSink());
    await first.following;
    const sink = new TestSink();
    const { following } = follow(hub, sink);
    for (let turn = 0; turn < step; turn++) await Promise.resolve();
    first.leave();
    await following;
    commit();
    await vi.waitFor(() => expect(sink.got).toEqual([1, 2]), { interval: 1 });
  }
});

test('[L5] while it catches up, a reader is never sent more than it has taken', async () => {
  const { hub } = setUp(300);
  const sink = new TestSink();
  let sentSinceDrain = 0;
  let most = 0;
  sink.send = () => {
    most = Math.max(most, ++sentSinceDrain);
  };
  sink.drains = async () => {
    sentSinceDrain = 0;
  };
  await follow(hub, sink).following;
  expect(most).toBe(1);
});

test('[L5] a burst of large events leaves a reader that keeps up the time to take them', async () => {
  const { hub, commit } = setUp();
  const sink = new TestSink();
  await follow(hub, sink).following;
  let pending = 0;
  let most = 0;
  const { send } = sink;
  sink.send = (frame) => {
    // A socket takes what was written once the event loop turns.
    if (pending === 0) setImmediate(() => (pending = 0));
    pending += frame.length;
    most = Math.max(most, pending);
    send(frame);
  };
  const text = 'x'.repeat(50_000);
  for (let count = 0; count < 100; count++) commit(text);
  await vi.waitFor(() => expect(sink.got).toEqual(oneTo(100)));
  expect(most).toBeLessThan(1_000_000);
});

test('[L5] a reader that goes away while it catches up is let go of, and nothing is read for it any more', async () => {
  const { hub, commit, reads } = setUp(10);
  const sink = new TestSink();
  sink.drains = () => Promise.reject(new Error('the reader is gone'));
  const { following, leave } = follow(hub, sink);
  await expect(following).rejects.toThrow('the reader is gone');
  leave();
  const aborted = follow(hub, new TestSink());
  aborted.leave();
  await aborted.following;
  expect(hub.size()).toBe(0);
  const before = reads();
  commit();
  await new Promise((resolve) => setImmediate(resolve));
  expect(reads()).toBe(before);
});

test('[L4] where the log cannot be read the streams end, and who comes back later misses nothing', async () => {
  const { hub, commit, fail } = setUp(1);
  const sink = new TestSink();
  await follow(hub, sink).following;
  fail(new Error('the store is away'));
  commit();
  await vi.waitFor(() => expect(sink.ended).toBe(1));
  await expect(follow(hub, new TestSink()).following).rejects.toThrow('the store is away');
  fail(undefined);
  const back = new TestSink();
  await follow(hub, back, 1).following;
  commit();
  await vi.waitFor(() => expect(back.got).toEqual([2, 3]));
  expect(sink.got).toEqual([1]);
});

test('[W3] closing ends every stream, also one that still catches up and one that comes later', async () => {
  const { hub, commit, listeners } = setUp(1000);
  const [live, late] = [new TestSink(), new TestSink()];
  await follow(hub, live).following;
  const catching = new TestSink();
  let release: () => void = () => {};
  catching.drains = () => new Promise<void>((resolve) => (release = resolve));
  const { following } = follow(hub, catching);
  await vi.waitFor(() => expect(catching.got).toEqual([1]));
  hub.close();
  commit();
  release();
  await following;
  await follow(hub, late).following;
  expect([live.ended > 0, catching.ended > 0, late.ended > 0]).toEqual([true, true, true]);
  expect([catching.got, late.got]).toEqual([[1], []]);
  expect([hub.size(), listeners.size]).toEqual([0, 0]);
});
