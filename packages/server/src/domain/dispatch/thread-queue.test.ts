import { type DispatchSettings, defined } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import {
  batchSize,
  complete,
  failBatch,
  heartbeat,
  lease,
  maxAttempts,
  type QueueDecided,
  skipNotice,
  takeBatch,
} from './batch-lease.ts';
import {
  dueAt,
  enqueue,
  extendByTyping,
  isDue,
  queueId,
  settingsOf,
  type ThreadQueue,
  updateOverrides,
} from './thread-queue.ts';

const now = 1_000_000;
const ann = { workerId: 'ann', leaseMs: 30_000, batchId: 'b1' };
const input = (seq: number, at = now) => ({ threadId: 'one', seq, at, isMessage: true });
const settings = (more: Partial<DispatchSettings> = {}) => settingsOf({ org: more });

function queueOf(seqs: number[], more: Partial<DispatchSettings> = {}): ThreadQueue {
  const queue = seqs.reduce<ThreadQueue | undefined>(
    (before, seq) => enqueue(before, input(seq), settings(more), now),
    undefined,
  );
  if (!queue) throw new Error('no inputs');
  return queue;
}

function queueAfter(decided: QueueDecided | ReturnType<typeof lease>): ThreadQueue {
  if (!decided || ('ok' in decided && !decided.ok) || !decided.queue) throw new Error('there is no queue');
  return decided.queue;
}

describe('when a queue is due', () => {
  test('[DI4] batched: when no input has come for the debounce', () => {
    const queue = queueOf([3]);
    expect(dueAt(queue)).toBe(now + 600);
    expect(dueAt(enqueue(queue, input(4, now + 500), settings(), now + 500))).toBe(now + 1_100);
  });

  test('[DI4] batched: when nobody has typed for the grace; a message ends the typing', () => {
    const queue = extendByTyping(queueOf([3]), now + 100) as ThreadQueue;
    expect(dueAt(queue)).toBe(now + 2_100);
    expect(dueAt(enqueue(queue, input(4, now + 200), settings(), now + 200))).toBe(now + 800);
    const answered = { ...input(4, now + 200), isMessage: false };
    expect(dueAt(enqueue(queue, answered, settings(), now + 200))).toBe(now + 2_100);
  });

  test('[DI4] batched: at the latest after the maximum wait since the first input', () => {
    let queue = queueOf([3]);
    for (let at = now; at < now + 40_000; at += 500)
      queue = enqueue(queue, input(queue.lastSeq + 1, at), settings(), at);
    expect(dueAt(queue)).toBe(now + 30_000);
    expect(dueAt(extendByTyping(queue, now + 40_000) as ThreadQueue)).toBe(now + 30_000);
  });

  test('[DI4] otherwise at once', () => {
    for (const mode of ['sequential', 'immediate'] as const) {
      expect(dueAt(queueOf([3], { mode }))).toBe(now);
      expect(extendByTyping(queueOf([3], { mode }), now)).toBeUndefined();
    }
  });

  test('[X42] a queue that would wait longer than possible was written by a clock that is ahead, and is due', () => {
    const hour = 3_600_000;
    const leased = queueAfter(lease(queueOf([3], { mode: 'sequential' }), { ...ann, toSeq: 3 }, now + 2 * hour));
    expect(isDue(leased, now + 2 * hour)).toBe(false);
    expect(isDue(leased, now)).toBe(true);
    expect(queueAfter(lease(leased, { ...ann, workerId: 'bob', toSeq: 3 }, now)).batch).toMatchObject({
      ...{ until: now + 30_000, holder: { workerId: 'bob' } },
    });
    const longest = queueAfter(lease(queueOf([3], { mode: 'sequential' }), { ...ann, leaseMs: hour, toSeq: 3 }, now));
    expect(isDue(longest, now)).toBe(false);
  });

  test('[DI4] an input from a clock that was ahead counts from now', () => {
    expect(dueAt(enqueue(undefined, input(3, now + 3_600_000), settings(), now))).toBe(now + 600);
  });

  test('[DI4] inputs that come during a batch are due by their own times', () => {
    const leased = queueAfter(lease(queueOf([3]), { ...ann, toSeq: 3 }, now + 600));
    const more = enqueue(leased, input(7, now + 5_000), settings(), now + 5_000);
    expect(dueAt(more)).toBe(now + 30_600);
    const rest = queueAfter(complete(more, 'ann'));
    expect(rest).toMatchObject({ nextSeq: 7, lastSeq: 7 });
    expect(dueAt(rest)).toBe(now + 5_600);
  });
});

test('[DI2] in mode immediate every input has a queue of its own', () => {
  expect(queueId('one', settings({ mode: 'immediate' }), 7)).toBe('one 7');
  expect(queueId('one', settings(), 7)).toBe('one');
  expect(queueId('one', settings({ mode: 'sequential' }), 7)).toBe('one');
});

test('[DI3] a batch is one input, or up to a hundred waiting ones', () => {
  expect(batchSize(queueOf([1]))).toBe(100);
  expect(batchSize(queueOf([1], { mode: 'sequential' }))).toBe(1);
  expect(batchSize(queueOf([1], { mode: 'immediate' }))).toBe(1);
});

test('[DI3] a batch has about a megabyte at most, but always one input', () => {
  const waiting = (...sizes: number[]) => sizes.map((size) => ({ data: { text: 'x'.repeat(size) } }));
  const taken = (...sizes: number[]) => takeBatch(queueOf([1]), waiting(...sizes)).length;
  expect(taken(400_000, 400_000, 400_000, 1)).toBe(2);
  expect(taken(2_000_000, 1)).toBe(1);
  expect(taken(...Array.from({ length: 120 }, () => 10))).toBe(100);
});

test('[DI6] a failed batch is tried again after 500 ms, then twice that, up to 30 s, at most eight times', () => {
  let queue = queueAfter(lease(queueOf([3]), { ...ann, toSeq: 3 }, now + 600));
  const pauses: number[] = [];
  let at = now + 600;
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    queue = queueAfter(failBatch(queue, { workerId: 'ann', reason: 'no' }, at));
    pauses.push(dueAt(queue) - at);
    expect(lease(queue, { ...ann, toSeq: 3 }, dueAt(queue) - 1)).toBeUndefined();
    at = dueAt(queue);
    queue = queueAfter(lease(queue, { ...ann, batchId: 'another', toSeq: 99 }, at));
    expect(queue.batch).toMatchObject({ id: 'b1', fromSeq: 3, toSeq: 3, attempts: attempt + 1 });
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  const ended = failBatch(queue, { workerId: 'ann', reason: 'no' }, at);
  expect(ended).toMatchObject({ ok: true, skipped: { reason: 'no', batch: { attempts: 8 } } });
  expect(ended.ok && ended.queue).toBeUndefined();
});

test('[DI6] a worker can set the delay, or say that a retry is useless', () => {
  const queue = queueAfter(lease(queueOf([3]), { ...ann, toSeq: 3 }, now + 600));
  const failure = { workerId: 'ann', reason: 'no' };
  expect(dueAt(queueAfter(failBatch(queue, { ...failure, retryDelayMs: 7 }, now)))).toBe(now + 7);
  expect(failBatch(queue, { ...failure, retryable: false }, now)).toMatchObject({
    ok: true,
    skipped: { reason: 'no' },
  });
});

test('[DI5] a heartbeat moves the end of the lease, never to an earlier time', () => {
  const queue = queueAfter(lease(queueOf([3]), { ...ann, toSeq: 3 }, now + 600));
  const beat = (extendMs?: number) =>
    dueAt(queueAfter(heartbeat(queue, { workerId: 'ann', ...defined({ extendMs }) }, now + 10_000)));
  expect(beat()).toBe(now + 40_000);
  expect(beat(60_000)).toBe(now + 70_000);
  expect(beat(1_000)).toBe(now + 30_600);
});

test('[DI5] an expired lease is valid until another worker takes the batch', () => {
  const queue = queueAfter(lease(queueOf([3]), { ...ann, toSeq: 3 }, now + 600));
  expect(complete(queue, 'ann')).toMatchObject({ ok: true });
  const taken = queueAfter(lease(queue, { ...ann, workerId: 'ben', toSeq: 3 }, now + 30_600));
  expect(complete(taken, 'ann')).toMatchObject({ ok: false, fault: { code: 'lease-lost', current: { attempt: 2 } } });
  expect(complete(taken, 'ben')).toMatchObject({ ok: true });
});

test('[DI7] the thread gets a notice about a batch that was given up', () => {
  const batch = { id: 'b1', fromSeq: 3, toSeq: 5, attempts: 8, until: now };
  const { message, event } = skipNotice({ id: 'm1', threadId: 'one', batch, reason: 'no' }, now);
  expect(message).toMatchObject({ id: 'm1', role: 'system', by: { type: 'system', id: 'dispatch', via: 'local' } });
  expect(message.metadata).toEqual({ dispatch: { batchId: 'b1', fromSeq: 3, toSeq: 5, attempts: 8, reason: 'no' } });
  expect(event).toMatchObject({ type: 'message.created', data: { message } });
});

test('[DI8] settings of a thread replace those of the org, and null resets them', () => {
  const org = updateOverrides({}, { mode: 'sequential', debounceMs: 5 });
  const thread = updateOverrides({}, { debounceMs: 7 });
  expect(settingsOf({ org, thread })).toMatchObject({ mode: 'sequential', debounceMs: 7, maxWaitMs: 30_000 });
  expect(updateOverrides(org, { mode: null })).toEqual({ debounceMs: 5 });
});
