import type { EphemeralEvent, FreeObject, LogEvent } from '@holdpoint/protocol';
import { describe, expect, test, vi } from 'vitest';
import type { EventHead, PublishedEvent } from '../stores/store.ts';
import type { EventFormat, Following, Sink } from './event-channel.ts';
import { EventHub } from './event-hub.ts';

/** The events of these tests hold a text, whatever their type. */
const textIn = (data: object) => (data as FreeObject).text;

const plain: EventFormat = {
  render: ({ seq, data }) => `${seq} ${textIn(data)}`,
  renderEphemeral: ({ data }) => `live ${textIn(data)}`,
};

const cursorOf = (position: number): string => String(position).padStart(16, '0');

/** A log in memory with the store's promises: reads see what is committed, listeners hear of it afterwards. */
function setUp(earlier = 0) {
  const events: LogEvent[] = [];
  const listeners = new Set<(heads: readonly EventHead[]) => void>();
  const publishListeners = new Set<(event: PublishedEvent) => void>();
  /** Runs after a read has seen the events, and before it ends. */
  const during: { read: () => unknown } = { read: () => {} };
  let reads = 0;
  let failure: Error | undefined;
  const store = {
    headCursor: async () => cursorOf(events.length),
    readEvents: async ({ after, limit }: { after: string; limit: number }) => {
      reads++;
      if (failure) throw failure;
      const page = events.filter(({ cursor }) => cursor > after).slice(0, limit);
      await during.read();
      const last = page.length === limit ? page.at(-1) : undefined;
      return { items: page, ...(last ? { next: last.cursor } : {}) };
    },
    onCommitted(listener: (heads: readonly EventHead[]) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onPublished(listener: (event: PublishedEvent) => void) {
      publishListeners.add(listener);
      return () => publishListeners.delete(listener);
    },
  };
  const publish = (text: string, orgId = 'o', threadId = 't') => {
    const event = {
      threadId,
      type: 'message.delta',
      at: '',
      actor: { type: 'agent', id: 'a', via: 'key' },
      data: { text, messageId: text, offset: 0 },
    } as const;
    for (const listener of publishListeners) listener({ ...event, orgId });
  };
  const add = (text = '', type: LogEvent['type'] = 'message.created') => {
    const seq = events.length + 1;
    const event = {
      cursor: cursorOf(seq),
      threadId: 't',
      seq,
      type,
      at: '2030-01-01T00:00:00Z',
      actor: { type: 'agent', id: 'a', via: 'key' },
      data: { text, message: { id: text } },
    } as unknown as LogEvent;
    events.push(event);
    return event;
  };
  const commit = (text?: string, as?: LogEvent['type']) => {
    const { cursor, threadId, seq, type } = add(text, as);
    for (const listener of listeners) listener([{ cursor, orgId: 'o', threadId, seq, type }]);
  };
  for (let count = 0; count < earlier; count++) add();
  const hub = new EventHub(store, plain);
  return {
    hub,
    commit,
    publish,
    during,
    listeners,
    publishListeners,
    reads: () => reads,
    fail: (error?: Error) => (failure = error),
  };
}

class TestSink implements Sink {
  frames: string[] = [];
  ended = 0;
  drains: () => Promise<void> = async () => {};
  send = (frame: string) => void this.frames.push(frame);
  get got(): number[] {
    return this.frames.map((frame) => Number.parseInt(frame, 10));
  }
  drained = () => this.drains();
  end = () => void this.ended++;
}

function follow(hub: EventHub, sink: Sink, after = 0, more: Partial<Following> = {}) {
  const gone = new AbortController();
  const following = hub.follow({ orgId: 'o', filter: {}, after: cursorOf(after), sink, ...more }, gone.signal);
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

test('[L23] streams that catch up send a slice in each turn of the event loop, so that others are answered in between', async () => {
  const { hub } = setUp(1_000);
  const sinks = Array.from({ length: 4 }, () => new TestSink());
  const all = Promise.all(sinks.map((sink) => follow(hub, sink).following));
  let isOver = false;
  void all.then(() => (isOver = true));
  let sent = 0;
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = sinks.reduce((sum, { frames }) => sum + frames.length, 0);
    expect(now - sent).toBeLessThanOrEqual(100);
    // No stream is more than a page ahead of another.
    const counts = sinks.map(({ frames }) => frames.length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(200);
    sent = now;
  }
  for (const sink of sinks) expect(sink.got).toEqual(oneTo(1_000));
});

test('[L23] a slice of large events is no larger than that of small ones', async () => {
  const { hub, commit } = setUp();
  for (let n = 0; n < 20; n++) commit('x'.repeat(40_000));
  const sink = new TestSink();
  const large: EventFormat = { render: ({ data }) => String(textIn(data)) };
  const { following } = follow(hub, sink, 0, { format: large });
  let isOver = false;
  void following.then(() => (isOver = true));
  for (let sent = 0; !isOver; sent = sink.frames.length) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.frames.length - sent).toBeLessThanOrEqual(2);
  }
  expect(sink.frames).toHaveLength(20);
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

test('[L3] a follower that joins as the last one leaves still gets new events', async () => {
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

test('[L4] if the log cannot be read the streams end, and a reader that returns misses nothing', async () => {
  const { hub, commit, fail } = setUp(1);
  const sink = new TestSink();
  await follow(hub, sink).following;
  fail(new Error('the store is unavailable'));
  commit();
  await vi.waitFor(() => expect(sink.ended).toBe(1));
  await expect(follow(hub, new TestSink()).following).rejects.toThrow('the store is unavailable');
  fail(undefined);
  const back = new TestSink();
  await follow(hub, back, 1).following;
  commit();
  await vi.waitFor(() => expect(back.got).toEqual([2, 3]));
  expect(sink.got).toEqual([1]);
});

test('[W3] closing ends every stream, also one that still catches up and one that comes later', async () => {
  const { hub, commit, listeners, publishListeners } = setUp(1000);
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
  expect([hub.size(), listeners.size, publishListeners.size]).toEqual([0, 0, 0]);
});

describe('ephemeral events', () => {
  const ephemeral = true;

  test('[E1] is sent to present followers that want it, and moves no cursor', async () => {
    const { hub, commit, publish } = setUp(2);
    const [asked, other, late] = [new TestSink(), new TestSink(), new TestSink()];
    await follow(hub, asked, 0, { ephemeral }).following;
    await follow(hub, other).following;
    publish('a');
    await follow(hub, late, 0, { ephemeral }).following;
    publish('b');
    commit();
    await vi.waitFor(() => expect(other.frames).toHaveLength(3));
    expect(asked.frames).toEqual(['1 ', '2 ', 'live a', 'live b', '3 ']);
    expect(late.frames).toEqual(['1 ', '2 ', 'live b', '3 ']);
  });

  test('[E1] reaches a stream from the moment it was opened, also while it looks for the end of the log and catches up', async () => {
    const { hub, commit, publish, during } = setUp(2);
    const sink = new TestSink();
    const { following } = follow(hub, sink, 0, { ephemeral });
    publish('a');
    const steps = [
      () => {
        commit('c');
        publish('b');
      },
    ];
    during.read = () => steps.shift()?.();
    await following;
    publish('d');
    await vi.waitFor(() => expect(sink.frames).toHaveLength(6));
    expect(sink.frames.filter((frame) => frame.startsWith('live'))).toEqual(['live a', 'live b', 'live d']);
    expect(sink.frames.indexOf('3 c')).toBeLessThan(sink.frames.indexOf('live b'));
    expect(sink.got.filter((seq) => seq > 0)).toEqual([1, 2, 3]);
  });

  test('[E2] a stream that catches up is not sent pieces of a message after its end, though it is ahead of the others', async () => {
    const { hub, commit, publish, during } = setUp(250);
    const sink = new TestSink();
    let isOver = () => {};
    const steps = [
      () => {
        publish('m1');
        publish('m2');
        commit('m1', 'message.completed');
      },
      // The read for those who are live: the new stream reads the end of the message before it.
      () => new Promise<void>((resolve) => (isOver = resolve)),
    ];
    during.read = () => steps.shift()?.();
    await follow(hub, sink, 0, { ephemeral }).following;
    isOver();
    expect(sink.frames.slice(-2)).toEqual(['251 m1', 'live m2']);
  });

  test('[E1] a stream that catches up holds a bounded number of them', async () => {
    const { hub, publish, during } = setUp(1);
    const sink = new TestSink();
    const steps = [
      () => {
        for (const count of oneTo(5_000)) publish(`${count}`);
      },
    ];
    during.read = () => steps.shift()?.();
    await follow(hub, sink, 0, { ephemeral }).following;
    expect(sink.frames).toEqual(['1 ', ...oneTo(1_000).map((count) => `live ${count}`)]);
  });

  test('[E2] comes after all events that were committed before it, and in the order of its telling', async () => {
    const { hub, commit, publish } = setUp();
    const sink = new TestSink();
    await follow(hub, sink, 0, { ephemeral }).following;
    for (let count = 1; count <= 250; count++) {
      commit('c');
      if (count % 50 === 0) publish(`a${count}`);
      if (count % 50 === 0) publish(`b${count}`);
    }
    await new Promise((resolve) => setImmediate(resolve));
    commit('c');
    publish('last');
    await vi.waitFor(() => expect(sink.frames).toContain('live last'));
    const placeOf = (frame: string) => sink.frames.indexOf(frame);
    for (const count of [50, 100, 150, 200, 250]) {
      expect(placeOf(`live a${count}`)).toBeGreaterThan(placeOf(`${count} c`));
      expect(placeOf(`live b${count}`)).toBeGreaterThan(placeOf(`live a${count}`));
    }
    expect(sink.frames.at(-1)).toBe('live last');
    expect(sink.frames).toHaveLength(251 + 11);
  });

  test('[E2] an ephemeral event that is published during a read waits only for the events which that read did not see', async () => {
    const { hub, commit, publish, during } = setUp();
    const sink = new TestSink();
    await follow(hub, sink, 0, { ephemeral }).following;
    const steps = [
      () => {
        commit('late');
        publish('a');
      },
      () => publish('b'),
    ];
    during.read = () => steps.shift()?.();
    commit('c');
    await vi.waitFor(() => expect(sink.frames).toEqual(['1 c', '2 late', 'live a', 'live b']));
  });

  test('[E2] waits only for the events committed before it, even if commits never stop', async () => {
    const { hub, commit, publish } = setUp();
    const sink = new TestSink();
    await follow(hub, sink, 0, { ephemeral }).following;
    // Something is committed during every read, so that the reading has no end.
    let left = 300;
    const { send } = sink;
    sink.send = (frame) => {
      if (left-- > 0) commit();
      send(frame);
    };
    commit();
    publish('soon');
    await vi.waitFor(() => expect(sink.frames.length).toBeGreaterThan(250));
    expect(sink.frames.indexOf('live soon')).toBeLessThan(50);
  });

  test('[E2] a piece that comes after the end of its message is not sent', async () => {
    const { hub, commit, publish } = setUp();
    const sink = new TestSink();
    await follow(hub, sink, 0, { ephemeral, filter: { types: ['message.completed'] } }).following;
    publish('m1');
    commit('m1', 'message.completed');
    commit('m2', 'message.cancelled');
    publish('m1');
    publish('m2');
    publish('m3');
    await vi.waitFor(() => expect(sink.frames).toEqual(['live m1', '1 m1', 'live m3']));
    for (let count = 0; count < 1_500; count++) commit(`${count}`, 'message.completed');
    await vi.waitFor(() => expect(sink.frames).toHaveLength(1_503));
    publish('1499');
    publish('m4');
    expect(sink.frames.slice(-2)).toEqual(['1502 1499', 'live m4']);
  });

  test('[E3] a filter by thread holds for it, one by interaction lets none through, one by types all', async () => {
    const { hub, publish } = setUp();
    const filters = [{}, { threadId: 't' }, { threadId: 'other' }, { interactionId: 'i' }, { types: [] }];
    const sinks = filters.map(() => new TestSink());
    for (const [index, filter] of filters.entries())
      await follow(hub, sinks[index] as TestSink, 0, { ephemeral, filter }).following;
    publish('a');
    publish('b', 'another org');
    publish('c', 'o', 'other');
    expect(sinks.map(({ frames }) => frames.join())).toEqual([
      'live a,live c',
      'live a',
      'live c',
      '',
      'live a,live c',
    ]);
  });
});

describe('formats', () => {
  /** Takes its time, each event another time, and counts what it was asked for. */
  function slowFormat({ gate, ...more }: Partial<EventFormat> & { gate?: Promise<void> } = {}) {
    const asked: number[] = [];
    const format: EventFormat = {
      async render({ seq }, orgId) {
        asked.push(seq);
        if (seq > 7) await gate;
        for (let turn = 0; turn < 7 - (seq % 7); turn++) await new Promise((resolve) => setImmediate(resolve));
        return seq % 5 === 0 ? undefined : `${seq} ${orgId}`;
      },
      ...more,
    };
    return { format, asked };
  }
  const wanted = (first: number, last: number) => oneTo(last, first).filter((seq) => seq % 5 !== 0);

  test('[L3] each follower gets its own, once each and in order, also of one that is slow to write', async () => {
    const { hub, commit } = setUp(7);
    const gate = Promise.withResolvers<void>();
    const { format, asked } = slowFormat({ gate: gate.promise });
    const [slow, slowToo, native] = [new TestSink(), new TestSink(), new TestSink()];
    await Promise.all([
      follow(hub, slow, 0, { format }).following,
      follow(hub, slowToo, 3, { format }).following,
      follow(hub, native).following,
    ]);
    expect(hub.size()).toBe(3);
    asked.length = 0;
    for (let count = 0; count < 40; count++) commit();
    await vi.waitFor(() => expect(native.got).toEqual(oneTo(47)));
    expect([slow.got, slowToo.got]).toEqual([wanted(1, 7), wanted(4, 7)]);
    gate.resolve();
    await vi.waitFor(() => expect(slow.got).toEqual(wanted(1, 47)));
    expect(slowToo.got).toEqual(wanted(4, 47));
    expect(slow.frames[0]).toBe('1 o');
    expect(asked).toEqual(oneTo(47, 8));
  });

  test('[L3] a follower that joins while an event is rendered misses none and gets none twice', async () => {
    for (let step = 0; step < 30; step++) {
      const { hub, commit } = setUp(3);
      const { format } = slowFormat();
      const [first, second] = [new TestSink(), new TestSink()];
      await follow(hub, first, 0, { format }).following;
      commit();
      commit();
      for (let turn = 0; turn < step; turn++) await new Promise((resolve) => setImmediate(resolve));
      const joined = follow(hub, second, 0, { format });
      commit();
      await joined.following;
      commit();
      await vi.waitFor(() => expect([first.got, second.got]).toEqual([wanted(1, 7), wanted(1, 7)]), { interval: 1 });
    }
  });

  test('[L4] if a format fails, only its streams end, and their readers resume', async () => {
    const { hub, commit } = setUp();
    let isBroken = true;
    const render = async ({ seq }: LogEvent) => (isBroken ? Promise.reject(new Error('away')) : `${seq}`);
    const { format } = slowFormat({ render });
    const [broken, native, back] = [new TestSink(), new TestSink(), new TestSink()];
    await follow(hub, broken, 0, { format }).following;
    await follow(hub, native).following;
    commit();
    await vi.waitFor(() => expect([broken.ended, native.got]).toEqual([1, [1]]));
    isBroken = false;
    await follow(hub, back, 0, { format }).following;
    commit();
    await vi.waitFor(() => expect(back.got).toEqual([1, 2]));
    expect([broken.got, native.ended]).toEqual([[], 0]);
  });

  test('[E1] a format without ephemeral events sends none', async () => {
    const { hub, publish } = setUp();
    const renderEphemeral = ({ data }: EphemeralEvent) => (textIn(data) === 'a' ? undefined : `mine ${textIn(data)}`);
    const sinks = [new TestSink(), new TestSink()] as const;
    await follow(hub, sinks[0], 0, { ephemeral: true, format: slowFormat().format }).following;
    await follow(hub, sinks[1], 0, { ephemeral: true, format: slowFormat({ renderEphemeral }).format }).following;
    publish('a');
    publish('b');
    expect(sinks.map(({ frames }) => frames)).toEqual([[], ['mine b']]);
  });
});

test('[X8] an event for none of the followers is not rendered', async () => {
  const { hub, commit } = setUp();
  const render = vi.fn(plain.render);
  const format: EventFormat = { render, audience: ({ data }) => [String(textIn(data))] };
  const sink = new TestSink();
  await follow(hub, sink, 0, { format, assignees: ['ada'] }).following;
  commit('bob');
  commit('ada');
  await vi.waitFor(() => expect(sink.frames).toEqual(['2 ada']));
  expect(render).toHaveBeenCalledTimes(1);
});
