/** One execution of a function: replays its journal, continues from there, and ends when the function ends or only waits. */
import { defined, type NewJournalEntry, type RunWait } from '@holdpoint/protocol';
import type { CallKind, ExecutionOptions, LiveCall, OpenCall, Settled } from './call.ts';
import {
  Away,
  isSameCall,
  JournalMismatch,
  JournalRefused,
  keepError,
  missingCall,
  otherCall,
  Superseded,
  throwable,
} from './errors.ts';

/** If a function does not make a call of its journal within this time, it does not make it at all. */
const patienceMs = 2_000;

interface Settlement {
  call: OpenCall;
  entry: Pick<NewJournalEntry, 'state' | 'data'>;
  at: number;
  give(): void;
}

export type Ended =
  | { type: 'returned'; value: unknown }
  | { type: 'threw'; error: unknown; call?: number }
  | { type: 'waits'; waits: RunWait[] }
  /** The worker stops. Calls that have ended are in the journal, and another worker continues the rest. */
  | { type: 'released' };

export class Execution {
  readonly #options: ExecutionOptions;
  readonly #open = new Map<number, OpenCall>();
  readonly #callOfError = new WeakMap<object, number>();
  #settlements: Settlement[] = [];
  #made = 0;
  #isLive = false;
  #isStopping = false;
  #isOver = false;
  #ended: Ended | undefined;
  #fault: unknown;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #wake = () => {};
  readonly #aborted: Promise<void>;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.#aborted = new Promise((resolve) => options.signal.addEventListener('abort', () => resolve(), { once: true }));
    this.#aborted.then(() => this.#wake());
  }

  /** Begins nothing more, and lets `run` resolve as soon as the calls that have begun are done. */
  stop(): void {
    this.#isStopping = true;
    this.#wake();
  }

  call<T>(kind: CallKind<T>): Promise<T> {
    // Code that continues after the end, because it waited for something that was no call, stops here.
    if (this.#isOver) return new Promise(() => {});
    const number = ++this.#made;
    const recorded = this.#options.journal.calls.get(number);
    if (recorded && !isSameCall(recorded, kind)) this.#fault ??= otherCall(recorded, kind);
    const result = new Promise<T>((resolve, reject) => {
      const call: OpenCall = {
        ...{ number, kind, reject, waits: undefined, isHeld: false },
        resolve: resolve as (value: unknown) => void,
      };
      this.#open.set(number, call);
      if (this.#isLive) this.#play(call);
      this.#wake();
    });
    // A call that nobody awaits may fail without ending the process.
    result.catch(() => {});
    return result;
  }

  /** Throws if it was broken off: the function does not fit its journal, the service is away, or another worker continues. */
  async run(start: () => Promise<unknown>): Promise<Ended> {
    // In a later turn, so that the first code of the function runs like all other code of it.
    Promise.resolve()
      .then(start)
      .then(
        (value) => ({ type: 'returned', value }) as const,
        (error: unknown) =>
          ({ type: 'threw', error, ...defined({ call: this.#callOfError.get(error as object) }) }) as const,
      )
      .then((ended) => {
        this.#ended = ended;
        this.#wake();
      });
    try {
      await this.#replay();
      return await this.#live();
    } finally {
      this.#isOver = true;
      for (const timer of this.#timers) clearTimeout(timer);
    }
  }

  async #replay(): Promise<void> {
    const { journal } = this.#options;
    for (const { call: number, state, data } of journal.settled) {
      const call = await this.#callMade(number);
      const value = state === 'done' ? await call.kind.recall(data, number) : undefined;
      this.#open.delete(number);
      if (state === 'done') call.resolve(value);
      else this.#reject(call, throwable(data));
    }
    await quiet();
    for (const { call, isSettled } of journal.calls.values()) if (!isSettled) await this.#callMade(call);
    this.#check();
  }

  /** Waits until the function makes the call of this number. Throws if it does not. */
  async #callMade(number: number): Promise<OpenCall> {
    const endAt = Date.now() + patienceMs;
    while (true) {
      await quiet();
      this.#check();
      const call = this.#open.get(number);
      if (call) return call;
      const recorded = this.#options.journal.calls.get(number);
      // If no call is open, the function waits for something else, which may take long.
      if (recorded && (this.#ended || (this.#open.size > 0 && Date.now() > endAt)))
        throw missingCall(recorded, this.#ended !== undefined);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async #live(): Promise<Ended> {
    this.#isLive = true;
    const resumed = [...this.#open.values()];
    await Promise.race([this.#aborted, Promise.all(resumed.map((call) => this.#play(call)))]);
    // Calls that ended before this execution began are settled in the order of their times.
    this.#settlements.sort((one, other) => (one.at === other.at ? 0 : one.at - other.at));
    while (true) {
      await quiet();
      this.#check();
      const settlement = this.#settlements.shift();
      if (settlement) {
        const { call, entry, give } = settlement;
        const { type, name } = call.kind;
        this.#open.delete(call.number);
        // A copy, because the function may change its result before the entry is saved.
        this.#options.add({ call: call.number, type, name, ...structuredClone(entry) });
        give();
        continue;
      }
      const open = [...this.#open.values()];
      const isAnyRunning = open.some(({ waits, isHeld }) => !waits && !isHeld);
      if (!isAnyRunning) {
        if (this.#ended) return this.#ended;
        if (open.some(({ isHeld }) => isHeld)) return { type: 'released' };
        if (open.length > 0) return { type: 'waits', waits: open.flatMap(({ waits = [] }) => waits) };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when a waiting call has checked what it waits for, and at once for other calls. */
  #play(call: OpenCall): Promise<void> {
    const { kind } = call;
    return new Promise((looked) => {
      const wake = () => {
        looked();
        this.#wake();
      };
      const settle = (entry: Settlement['entry'], at: number, give: () => void) => {
        call.waits = undefined;
        this.#settlements.push({ call, entry, at, give });
        wake();
      };
      const live = this.#liveCall(call, wake);
      if (!waiting.has(kind.type) || live.notes.length === 0) looked();
      kind.play(live).then(
        ({ data, value, at = neverSeen }: Settled<unknown>) =>
          settle({ state: 'done', ...defined({ data }) }, at, () => call.resolve(value)),
        (error: unknown) => {
          const kept = keepError(error);
          if (!breaks.some((type) => error instanceof type))
            return settle({ state: 'failed', data: kept }, neverSeen, () => this.#reject(call, throwable(kept, error)));
          this.#fault ??= error;
          wake();
        },
      );
    });
  }

  /** `onIdle` is called when the call waits or is held. */
  #liveCall(call: OpenCall, onIdle: () => void): LiveCall {
    const { key, signal, journal, add, flush, now } = this.#options;
    const { number, kind } = call;
    const { type, name } = kind;
    const wait = (waits: RunWait[]) => {
      call.waits = waits;
      onIdle();
    };
    return {
      number,
      key: `${key}:${number}`,
      notes: journal.calls.get(number)?.notes ?? [],
      signal,
      note: (data) => add({ call: number, type, name, state: 'begun', data }),
      ready: () => {
        if (!this.#isStopping && !this.#isOver) return flush();
        call.isHeld = true;
        onIdle();
        return new Promise(() => {});
      },
      waitFor(...waits) {
        wait(waits);
        return new Promise(() => {});
      },
      waitUntil: (time) => {
        wait([{ type: 'time', until: new Date(time).toISOString() }]);
        return new Promise((resolve) => {
          const wake = () => {
            this.#timers.delete(timer);
            call.waits = undefined;
            resolve();
          };
          const timer = setTimeout(wake, Math.min(time - now(), maxTimerMs));
          this.#timers.add(timer);
        });
      },
    };
  }

  #reject(call: OpenCall, error: Error): void {
    this.#callOfError.set(error, call.number);
    call.reject(error);
  }

  #check(): void {
    if (this.#fault) throw this.#fault;
    if (this.#options.signal.aborted) throw new Superseded('The execution was broken off.');
  }
}

/** The longest time of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** Errors that end the execution instead of the call. */
const breaks = [Away, Superseded, JournalRefused, JournalMismatch];

/** The time of a call that ended just now. */
const neverSeen = Number.POSITIVE_INFINITY;

/** Types of calls whose wait may have ended before this execution began. */
const waiting = new Set(['ask', 'sleep', 'message']);

/** Resolves when the function has run as far as it can without the result of a call. */
const quiet: () => Promise<void> =
  typeof setImmediate === 'function'
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () => new Promise((resolve) => setTimeout(resolve));
