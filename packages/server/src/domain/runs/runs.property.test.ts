/** Properties of the runs of a thread that hold after every step of random inputs, workers and commands. */
import type { JournalEntry, Run } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advanceRun } from './advance.ts';
import { isOpen, type RunOutcome } from './run.ts';
import { beginRun, cancelRun, giveUpRun, restartRun, wakeRun } from './start-and-end.ts';

const by = { type: 'agent', id: 'key', via: 'key' } as const;
const statuses = ['running', 'waiting', 'completed', 'failed'] as const;
const typed = <T extends string>(type: T) => fc.record({ type: fc.constant(type) });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('input' as const), isMessage: fc.boolean() }) },
  { weight: 5, arbitrary: typed('deliver') },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('redeliver' as const), index: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('advance' as const),
      status: fc.constantFrom(...statuses),
      entries: fc.nat(3),
      behind: fc.nat(2),
      sleepMs: fc.option(fc.integer({ min: 0, max: 10_000 })),
    }),
  },
  { weight: 1, arbitrary: typed('cancel') },
  { weight: 1, arbitrary: typed('give-up') },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restart' as const), index: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 10_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Given {
  seq: number;
  isMessage: boolean;
}

/** A thread as a store would save it. */
class Thread {
  now = 1_000_000;
  seq = 0;
  waiting: Given[] = [];
  delivered: Given[] = [];
  runs: Run[] = [];
  journals = new Map<string, JournalEntry[]>();

  take(next: Step): void {
    const last = this.runs.at(-1);
    switch (next.type) {
      case 'input':
        this.#arrive(next.isMessage);
        break;
      case 'deliver': {
        const input = this.waiting.shift();
        if (!input) break;
        this.delivered.push(input);
        this.#save(beginRun(last, { ...this.#new(), inputs: [input] }, this.now));
        this.#wasGiven(input);
        break;
      }
      case 'redeliver': {
        const input = this.delivered[next.index];
        const before = this.runs.length;
        if (input) this.#save(beginRun(last, { ...this.#new(), inputs: [input] }, this.now));
        expect(this.runs).toHaveLength(before);
        break;
      }
      case 'advance': {
        if (!last) break;
        const { status, behind, sleepMs } = next;
        const entry = { call: 1, type: 'now', name: '', state: 'done' } as const;
        const until = new Date(this.now + (sleepMs ?? 0)).toISOString();
        const decided = advanceRun(
          last,
          {
            ...{ expectedVersion: last.version - behind, status, by },
            entries: Array.from({ length: next.entries }, () => entry),
            ...(status === 'waiting'
              ? { waitingFor: [sleepMs === null ? { type: 'message' } : { type: 'time', until }] }
              : {}),
            ...(status === 'failed' ? { error: { code: 'oops', message: 'It broke' } } : {}),
          },
          this.now,
        );
        expect(decided.ok).toBe(last.status === 'running' && behind === 0);
        if (decided.ok) this.#save(decided);
        break;
      }
      case 'cancel': {
        const decided = last && cancelRun(last, { by }, this.now);
        expect(decided?.ok ?? false).toBe(last !== undefined && isOpen(last));
        if (decided?.ok) this.#save(decided);
        break;
      }
      case 'give-up': {
        const input = this.waiting.shift();
        if (!input) break;
        this.delivered.push(input);
        this.#save(giveUpRun(last, { ...this.#new(), inputs: [input] }, 'because', this.now));
        this.#wasGiven(input);
        expect(this.runs.filter(isOpen)).toEqual([]);
        break;
      }
      case 'restart': {
        const run = this.runs[next.index];
        if (!run || !last) break;
        const decided = restartRun(run, { id: this.#new().id, by, last, agent: 'helper' }, this.now);
        expect(decided.ok).toBe(run === last && !isOpen(last));
        if (decided.ok) this.#save(decided);
        break;
      }
      case 'pass':
        this.now += next.ms;
        if (last?.status === 'waiting') {
          const woken = wakeRun(last, this.now);
          if (woken?.ok) this.#save(woken);
          expect(wakeRun(this.runs.at(-1) as Run, this.now)?.ok ?? false).toBe(false);
        }
    }
    this.#check();
  }

  #new() {
    return { id: `r${this.runs.length + 1}`, threadId: 't', agent: 'helper', by };
  }

  #arrive(isMessage: boolean): void {
    this.seq++;
    this.waiting.push({ seq: this.seq, isMessage });
  }

  /** Every message belongs to a run, and an input that an open run gets belongs to that run. */
  #wasGiven({ seq, isMessage }: Given): void {
    const last = this.runs.at(-1);
    if (isMessage || (last && isOpen(last))) expect(last?.deliveredSeq).toBeGreaterThanOrEqual(seq);
  }

  #save(outcome: RunOutcome | undefined): void {
    if (!outcome) return;
    const { run, entries, events } = outcome;
    const at = this.runs.findIndex(({ id }) => id === run.id);
    const before = this.runs[at];
    if (before) {
      expect(isOpen(before)).toBe(true);
      expect(run.version).toBeGreaterThan(before.version);
      expect(run.deliveredSeq).toBeGreaterThanOrEqual(before.deliveredSeq);
      expect({ ...run, fromSeq: before.fromSeq, agent: before.agent }).toEqual(run);
      this.runs[at] = run;
    } else this.runs.push(run);
    this.journals.set(run.id, [...(this.journals.get(run.id) ?? []), ...entries]);
    // The event that wakes a run is an input itself.
    for (const { type } of events) {
      if (type === 'run.woken') this.#arrive(false);
      else this.seq++;
    }
  }

  #check(): void {
    expect(this.runs.filter(isOpen).length).toBeLessThanOrEqual(1);
    for (const run of this.runs) {
      expect(run.fromSeq).toBeLessThanOrEqual(run.deliveredSeq);
      expect(run.deliveredSeq).toBeLessThanOrEqual(this.seq);
      expect(run.waitingFor !== undefined).toBe(run.status === 'waiting');
      expect(run.endedAt === undefined).toBe(isOpen(run));
      const indexes = this.journals.get(run.id)?.map(({ index }) => index) ?? [];
      expect(indexes).toEqual(Array.from({ length: run.entries }, (_, n) => n + 1));
    }
    for (const run of this.runs.slice(0, -1)) expect(isOpen(run)).toBe(false);
  }
}

test('[RU1][RU2][RU7][RU8][RU9] with any inputs one run is open, no message is lost or begins two runs, and nothing goes back', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const thread = new Thread();
      for (const next of steps) thread.take(next);
    }),
    { numRuns: 500 },
  );
});
