/**
 * Fires timers of one kind when they are due, such as the deadlines of interactions. Sleeps until the next timer, and looks
 * at least every second in case the clock has jumped.
 */
import { CoalescedRunner } from '../coalesced-runner.ts';
import type { Clock } from '../operations/context.ts';
import type { Claim, EventHead, Store, TimerKind } from '../stores/store.ts';

const batch = 200;
const longestSleepMs = 1_000;
/** If a node dies while it fires timers, other nodes may claim them after this time. */
const claimMs = 5_000;

type DueTimer = Pick<Claim, 'orgId' | 'id'>;

export interface TimerOptions {
  store: Pick<Store, 'claimDue' | 'nextDueAt' | 'onCommitted'>;
  clock: Clock;
  kind: TimerKind;
  /** Events whose commit may have set a timer to less than a second from now. */
  movedBy: readonly EventHead['type'][];
  fire(due: DueTimer): Promise<void>;
  onError(error: unknown): void;
}

export class Timers {
  readonly #options: TimerOptions;
  /** Timers that are being fired, by org and id. */
  readonly #firing = new Set<string>();
  readonly #runner: CoalescedRunner;
  readonly #unsubscribe: () => void;
  #isStopped = false;

  constructor(options: TimerOptions) {
    this.#options = options;
    const { store, movedBy, onError } = options;
    this.#runner = new CoalescedRunner({ run: () => this.#fireAll(), onError });
    this.#unsubscribe = store.onCommitted((heads) => {
      if (heads.some(({ type }) => movedBy.includes(type))) this.#runner.trigger();
    });
    this.#runner.trigger();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    await this.#runner.stop();
  }

  /** Fires all due timers. Returns how long to sleep. */
  async #fireAll(): Promise<number> {
    const { store, clock, kind } = this.#options;
    while (!this.#isStopped) {
      const due = await store.claimDue({ kind, now: clock.now(), limit: batch, forMs: claimMs });
      await this.#fire(due);
      if (due.length < batch) break;
    }
    return sleepUntil(await store.nextDueAt({ kind }), clock);
  }

  /**
   * Waits for all timers, for a second at most, because a locked record must not delay all other timers. If a timer takes
   * longer, this node fires it once, however often its claim ends meanwhile.
   */
  async #fire(due: readonly DueTimer[]): Promise<void> {
    const { fire, onError } = this.#options;
    let isLate = false;
    const fireOne = async (one: DueTimer) => {
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

/** Returns how long to sleep until a timer is due: a second at most, in case the clock jumps. */
export const sleepUntil = (nextAt: number | undefined, clock: Clock): number =>
  nextAt === undefined ? longestSleepMs : Math.min(Math.max(nextAt - clock.now(), 1), longestSleepMs);
