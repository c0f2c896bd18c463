/**
 * Fires timers of one kind when they are due, such as what an interaction does by itself: sleeps until the next one, and
 * looks again each second in case the clock has jumped.
 */
import type { Clock } from '../operations/context.ts';
import type { EventHead, Store, TimerKind } from '../stores/store.ts';

const batch = 200;
const longestSleepMs = 1_000;
/** A node that dies with timers in its hands gives them back after this time. */
const claimMs = 5_000;

export interface TimerOptions {
  store: Pick<Store, 'claimDue' | 'nextDueAt' | 'onCommitted'>;
  clock: Clock;
  kind: TimerKind;
  /** Those that may have set a timer to less than a second from now, or moved it there. */
  movedBy: readonly EventHead['type'][];
  fire(due: { orgId: string; id: string }): Promise<void>;
  onError(error: unknown): void;
}

export class Timers {
  readonly #options: TimerOptions;
  /** Timers that are being fired, by org and id. */
  readonly #firing = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStale = false;
  #isStopped = false;
  #unsubscribe: () => void;

  constructor(options: TimerOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.onCommitted((heads) => {
      if (heads.some(({ type }) => options.movedBy.includes(type))) this.#lookSoon();
    });
    this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Many creates in one turn of the event loop ask for one look. */
  #lookSoon(): void {
    if (this.#isStale || this.#isStopped) return;
    this.#isStale = true;
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#isStale = this.#running !== undefined;
    if (this.#running || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#running = this.#fireAll().then((sleepMs) => {
      this.#running = undefined;
      if (this.#isStopped) return;
      if (this.#isStale) this.#look();
      else this.#timer = setTimeout(() => this.#look(), sleepMs);
    });
  }

  /** Fires what is due, and says how long to sleep. */
  async #fireAll(): Promise<number> {
    const { store, clock, kind, onError } = this.#options;
    try {
      while (!this.#isStopped) {
        const due = await store.claimDue({ kind, now: clock.now(), limit: batch, forMs: claimMs });
        await this.#fire(due);
        if (due.length < batch) break;
      }
      const nextAt = await store.nextDueAt({ kind });
      return nextAt === undefined ? longestSleepMs : Math.min(Math.max(nextAt - clock.now(), 1), longestSleepMs);
    } catch (error) {
      onError(error);
      return longestSleepMs;
    }
  }

  /**
   * Waits for all timers, for a second at most: a locked record must not delay the timers of everybody else. If a timer
   * takes longer, this node fires it once, however often its claim ends meanwhile.
   */
  async #fire(due: readonly { orgId: string; id: string }[]): Promise<void> {
    const { fire, onError } = this.#options;
    let isLate = false;
    const fireOne = async (one: { orgId: string; id: string }) => {
      const key = `${one.orgId} ${one.id}`;
      if (this.#firing.has(key)) return;
      this.#firing.add(key);
      try {
        await fire(one);
      } catch (error) {
        if (!isLate) throw error;
        onError(error);
      } finally {
        this.#firing.delete(key);
      }
    };
    const { promise: patience, resolve: goOn } = Promise.withResolvers<undefined>();
    const timer = setTimeout(goOn, longestSleepMs, undefined);
    const fired = await Promise.race([Promise.allSettled(due.map(fireOne)), patience]);
    clearTimeout(timer);
    isLate = fired === undefined;
    const failure = fired?.find((one) => one.status === 'rejected');
    if (failure) throw failure.reason;
  }
}
