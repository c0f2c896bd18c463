/** Random inputs met by random workers at random times: what must hold of a lane after every step. */
import type { DispatchSettings } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrive, extendByTyping } from './arrive.ts';
import { dueAt, type Lane } from './lane.ts';
import {
  batchSize,
  complete,
  failBatch,
  giveBack,
  heartbeat,
  type LaneDecided,
  type LaneOutcome,
  lease,
  maxAttempts,
} from './lease.ts';

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
      type: fc.constant('arrive' as const),
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

/** What somebody who watched from outside would have seen. */
class Model {
  now = 1_000_000;
  lane: Lane | undefined;
  arrived: { seq: number; at: number }[] = [];
  done: number[] = [];
  /** The batch as it was first leased, and until when somebody has it. */
  open: { id: string; fromSeq: number; toSeq: number; leasedUntil: number } | undefined;
  batches = 0;

  take(next: Step): void {
    switch (next.type) {
      case 'arrive': {
        const seq = (this.arrived.at(-1)?.seq ?? 0) + next.gap;
        this.arrived.push({ seq, at: this.now + next.aheadMs });
        this.lane = this.#arrive(seq, next.aheadMs, next);
        break;
      }
      case 'repeat': {
        const again = this.arrived[next.index];
        // An input whose lane is gone is one more time an input: at least once.
        if (again && this.lane) expect(this.#arrive(again.seq, 0, { ...next, isMessage: true })).toBe(this.lane);
        break;
      }
      case 'pass':
        this.now += next.ms;
        break;
      case 'type':
        this.lane = (this.lane && extendByTyping(this.lane, this.now)) ?? this.lane;
        break;
      case 'lease':
        this.lease(next.worker, next.leaseMs);
        break;
      case 'heartbeat':
        this.#asHolder(next.worker, (lane) => heartbeat(lane, { ...next, workerId: next.worker }, this.now));
        break;
      case 'complete':
        this.#asHolder(next.worker, (lane) => complete(lane, next.worker));
        break;
      case 'fail':
        this.#asHolder(next.worker, (lane) =>
          failBatch(lane, { ...next, workerId: next.worker, reason: 'because' }, this.now),
        );
        break;
      case 'giveBack':
        this.#asHolder(next.worker, (lane) => giveBack(lane, next.worker, this.now));
    }
    this.check();
  }

  #arrive(seq: number, aheadMs: number, { isMessage, settings }: { isMessage: boolean; settings: DispatchSettings }) {
    const arrival = { threadId: 'one', seq, at: this.now + aheadMs, isMessage };
    return arrive(this.lane, arrival, settings, this.now);
  }

  lease(workerId: string, leaseMs: number): void {
    if (!this.lane) return;
    const before = this.lane;
    const waiting = this.arrived.filter(({ seq }) => seq >= before.nextSeq && seq <= before.lastSeq);
    const toSeq = waiting.slice(0, batchSize(before)).at(-1)?.seq ?? before.lastSeq;
    const leased = lease(before, { workerId, leaseMs, batchId: `batch ${this.batches++}`, toSeq }, this.now);
    if (!leased) {
      expect(dueAt(before)).toBeGreaterThan(this.now);
      return;
    }
    // Never two: whoever had it has no lease any more.
    if (this.open) expect(this.open.leasedUntil).toBeLessThanOrEqual(this.now);
    const { batch } = leased.lane ?? {};
    if (leased.skipped) expect(leased.skipped.batch.attempts).toBe(maxAttempts);
    else if (this.open) expect(batch).toMatchObject({ id: this.open.id, fromSeq: this.open.fromSeq });
    this.#settle(leased);
    if (batch && !leased.skipped) {
      expect(batch.holder).toEqual({ workerId, leaseMs });
      expect(batch.until).toBe(this.now + leaseMs);
      this.open = { ...batch, leasedUntil: batch.until };
    }
  }

  #asHolder(workerId: string, decide: (lane: Lane) => LaneDecided): void {
    if (!this.lane) return;
    const holder = this.lane.batch?.holder?.workerId;
    const decided = decide(this.lane);
    expect(decided.ok).toBe(holder === workerId);
    if (!decided.ok) expect(decided.fault.code).toBe('lease-lost');
    else this.#settle(decided);
  }

  /** A batch that is done with was the next one, whole. */
  #settle({ lane, skipped }: LaneOutcome): void {
    const { open } = this;
    if (open && lane?.batch?.id !== open.id) {
      const seqs = this.arrived.map(({ seq }) => seq).filter((seq) => seq >= open.fromSeq && seq <= open.toSeq);
      expect(seqs.length).toBeGreaterThan(0);
      this.done.push(...seqs);
      if (skipped) expect(skipped.batch.id).toBe(open.id);
      this.open = undefined;
    } else if (open && lane?.batch) {
      expect(lane.batch).toMatchObject({ fromSeq: open.fromSeq, toSeq: open.toSeq });
      this.open = { ...open, leasedUntil: lane.batch.holder ? lane.batch.until : this.now };
    }
    this.lane = lane;
  }

  check(): void {
    const { lane, arrived, done, now } = this;
    expect(done).toEqual(arrived.slice(0, done.length).map(({ seq }) => seq));
    expect(lane === undefined).toBe(done.length === arrived.length);
    if (!lane) return;
    expect(JSON.parse(JSON.stringify(lane))).toEqual(lane);
    expect(lane.lastSeq).toBe(arrived.at(-1)?.seq);
    expect(lane.batch?.attempts ?? 0).toBeLessThanOrEqual(maxAttempts);
    if (lane.batch) expect(dueAt(lane)).toBe(lane.batch.until);
    else {
      expect(lane.nextSeq).toBeLessThanOrEqual(arrived[done.length]?.seq ?? 0);
      expect(dueAt(lane)).toBeLessThanOrEqual(now + lane.settings.maxWaitMs);
    }
  }
}

test('[DI2][DI3][DI6] whatever comes and whoever works: never two leases, every input once, in order, none lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model();
      for (const next of steps) model.take(next);
    }),
    { numRuns: 2_000 },
  );
});

test('[DI7] whatever has come, and though every worker dies or fails, it ends', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.array(fc.boolean(), { minLength: 1 }), (steps, dies) => {
      const model = new Model();
      for (const next of steps) model.take(next);
      const most = (model.arrived.length - model.done.length) * (maxAttempts + 1);
      let turns = 0;
      for (; model.lane && turns <= most; turns++) {
        model.now = Math.max(model.now, dueAt(model.lane));
        model.lease('ann', 1_000);
        if (!dies[turns % dies.length]) model.take({ type: 'fail', worker: 'ann', retryable: true, retryDelayMs: 0 });
      }
      expect(model.lane).toBeUndefined();
      expect(model.done).toEqual(model.arrived.map(({ seq }) => seq));
    }),
    { numRuns: 500 },
  );
});
