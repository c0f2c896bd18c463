/** Properties of a queue that hold after every step of random inputs and random workers at random times. */
import type { DispatchSettings } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  batchSize,
  complete,
  failBatch,
  giveBack,
  heartbeat,
  lease,
  maxAttempts,
  type QueueDecided,
  type QueueOutcome,
} from './batch-lease.ts';
import { dueAt, enqueue, extendByTyping, type ThreadQueue } from './thread-queue.ts';

const workers = ['ann', 'ben', 'cy'] as const;
const worker = fc.constantFrom(...workers);
const ms = fc.integer({ min: 0, max: 60_000 });
const settings = fc.record<DispatchSettings>({
  mode: fc.constantFrom('sequential', 'batched_sequential'),
  debounceMs: ms,
  typingGraceMs: ms,
  maxWaitMs: ms,
});

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('enqueue' as const),
      gap: fc.integer({ min: 1, max: 5 }),
      aheadMs: fc.integer({ min: -5_000, max: 5_000 }),
      isMessage: fc.boolean(),
      settings,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('repeat' as const), index: fc.nat(20), settings }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('pass' as const), ms }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('type' as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('lease' as const), worker, leaseMs: ms }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('heartbeat' as const), worker, extendMs: ms }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('complete' as const), worker }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('fail' as const), worker, retryable: fc.boolean(), retryDelayMs: ms }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('giveBack' as const), worker }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The state that an observer outside would see. */
class Model {
  now = 1_000_000;
  queue: ThreadQueue | undefined;
  arrived: { seq: number; at: number }[] = [];
  done: number[] = [];
  /** The batch as it was first leased, and the end of its lease. */
  open: { id: string; fromSeq: number; toSeq: number; leasedUntil: number } | undefined;
  batches = 0;

  take(next: Step): void {
    switch (next.type) {
      case 'enqueue': {
        const seq = (this.arrived.at(-1)?.seq ?? 0) + next.gap;
        this.arrived.push({ seq, at: this.now + next.aheadMs });
        this.queue = this.#enqueue(seq, next.aheadMs, next);
        break;
      }
      case 'repeat': {
        const again = this.arrived[next.index];
        // An input whose queue was removed becomes an input again, because delivery is at least once.
        if (again && this.queue) expect(this.#enqueue(again.seq, 0, { ...next, isMessage: true })).toBe(this.queue);
        break;
      }
      case 'pass':
        this.now += next.ms;
        break;
      case 'type':
        this.queue = (this.queue && extendByTyping(this.queue, this.now)) ?? this.queue;
        break;
      case 'lease':
        this.lease(next.worker, next.leaseMs);
        break;
      case 'heartbeat':
        this.#asHolder(next.worker, (queue) => heartbeat(queue, { ...next, workerId: next.worker }, this.now));
        break;
      case 'complete':
        this.#asHolder(next.worker, (queue) => complete(queue, next.worker));
        break;
      case 'fail':
        this.#asHolder(next.worker, (queue) =>
          failBatch(queue, { ...next, workerId: next.worker, reason: 'because' }, this.now),
        );
        break;
      case 'giveBack':
        this.#asHolder(next.worker, (queue) => giveBack(queue, next.worker, this.now));
    }
    this.check();
  }

  #enqueue(seq: number, aheadMs: number, { isMessage, settings }: { isMessage: boolean; settings: DispatchSettings }) {
    const arrival = { threadId: 'one', seq, at: this.now + aheadMs, isMessage };
    return enqueue(this.queue, arrival, settings, this.now);
  }

  lease(workerId: string, leaseMs: number): void {
    if (!this.queue) return;
    const before = this.queue;
    const waiting = this.arrived.filter(({ seq }) => seq >= before.nextSeq && seq <= before.lastSeq);
    const toSeq = waiting.slice(0, batchSize(before)).at(-1)?.seq ?? before.lastSeq;
    const leased = lease(before, { workerId, leaseMs, batchId: `batch ${this.batches++}`, toSeq }, this.now);
    if (!leased) {
      expect(dueAt(before)).toBeGreaterThan(this.now);
      return;
    }
    // Never two: the earlier lease has ended.
    if (this.open) expect(this.open.leasedUntil).toBeLessThanOrEqual(this.now);
    const { batch } = leased.queue ?? {};
    if (leased.skipped) expect(leased.skipped.batch.attempts).toBe(maxAttempts);
    else if (this.open) expect(batch).toMatchObject({ id: this.open.id, fromSeq: this.open.fromSeq });
    this.#settle(leased);
    if (batch && !leased.skipped) {
      expect(batch.holder).toEqual({ workerId, leaseMs });
      expect(batch.until).toBe(this.now + leaseMs);
      this.open = { ...batch, leasedUntil: batch.until };
    }
  }

  #asHolder(workerId: string, decide: (queue: ThreadQueue) => QueueDecided): void {
    if (!this.queue) return;
    const holder = this.queue.batch?.holder?.workerId;
    const decided = decide(this.queue);
    expect(decided.ok).toBe(holder === workerId);
    if (!decided.ok) expect(decided.fault.code).toBe('lease-lost');
    else this.#settle(decided);
  }

  /** A completed batch was the next one, and complete. */
  #settle({ queue, skipped }: QueueOutcome): void {
    const { open } = this;
    if (open && queue?.batch?.id !== open.id) {
      const seqs = this.arrived.map(({ seq }) => seq).filter((seq) => seq >= open.fromSeq && seq <= open.toSeq);
      expect(seqs.length).toBeGreaterThan(0);
      this.done.push(...seqs);
      if (skipped) expect(skipped.batch.id).toBe(open.id);
      this.open = undefined;
    } else if (open && queue?.batch) {
      expect(queue.batch).toMatchObject({ fromSeq: open.fromSeq, toSeq: open.toSeq });
      this.open = { ...open, leasedUntil: queue.batch.holder ? queue.batch.until : this.now };
    }
    this.queue = queue;
  }

  check(): void {
    const { queue, arrived, done, now } = this;
    expect(done).toEqual(arrived.slice(0, done.length).map(({ seq }) => seq));
    expect(queue === undefined).toBe(done.length === arrived.length);
    if (!queue) return;
    expect(JSON.parse(JSON.stringify(queue))).toEqual(queue);
    expect(queue.lastSeq).toBe(arrived.at(-1)?.seq);
    expect(queue.batch?.attempts ?? 0).toBeLessThanOrEqual(maxAttempts);
    if (queue.batch) expect(dueAt(queue)).toBe(queue.batch.until);
    else {
      expect(queue.nextSeq).toBeLessThanOrEqual(arrived[done.length]?.seq ?? 0);
      expect(dueAt(queue)).toBeLessThanOrEqual(now + queue.settings.maxWaitMs);
    }
  }
}

test('[DI2][DI3][DI6] with any inputs and workers there are never two leases, and every input comes once and in order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model();
      for (const next of steps) model.take(next);
    }),
    { numRuns: 2_000 },
  );
});

test('[DI7] every queue ends, even if all workers die or fail', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.array(fc.boolean(), { minLength: 1 }), (steps, dies) => {
      const model = new Model();
      for (const next of steps) model.take(next);
      const most = (model.arrived.length - model.done.length) * (maxAttempts + 1);
      let turns = 0;
      for (; model.queue && turns <= most; turns++) {
        model.now = Math.max(model.now, dueAt(model.queue));
        model.lease('ann', 1_000);
        if (!dies[turns % dies.length]) model.take({ type: 'fail', worker: 'ann', retryable: true, retryDelayMs: 0 });
      }
      expect(model.queue).toBeUndefined();
      expect(model.done).toEqual(model.arrived.map(({ seq }) => seq));
    }),
    { numRuns: 500 },
  );
});
