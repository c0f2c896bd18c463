/** One caller that waits for batches: served as soon as there is one for it, let go when its time is up. */
import type { Batch } from '@holdpoint/protocol';
import type { WantedBatches } from '../../operations/context.ts';
import type { Claim } from '../../stores/store.ts';

export interface WaitingOptions {
  /** Undefined where there is nothing to lease after all. */
  lease(lane: Claim, worker: { workerId: string; leaseMs: number }): Promise<Batch | undefined>;
  giveBack(batch: { orgId: string; batchId: string; workerId: string }): Promise<void>;
  onError(error: unknown): void;
}

/** A counter, as far as a claim knows it. */
interface LooksAgain {
  lookSoon(): void;
}

export class WaitingClaim {
  readonly limit: number;
  readonly result: Promise<Batch[]>;
  readonly #wanted: WantedBatches;
  readonly #options: WaitingOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #leave = () => {
    this.#isGone = true;
    this.end();
  };
  #resolve: (batches: Batch[]) => void = () => {};
  #batches: Batch[] = [];
  #leasing = 0;
  /** Where it waits: the counters of all its agents, and those of them that have not looked for it yet. */
  readonly #counters: LooksAgain[] = [];
  readonly #unseen = new Set<LooksAgain>();
  #isOver = false;
  #isGone = false;
  #isSettled = false;

  constructor(wanted: WantedBatches, options: WaitingOptions) {
    this.#wanted = wanted;
    this.#options = options;
    this.limit = wanted.limit;
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      // Who does not wait at all is still told what is there.
      if (this.#unseen.size === 0) this.#settle();
    }, wanted.waitMs);
    wanted.signal?.addEventListener('abort', this.#leave);
    if (wanted.signal?.aborted) this.#leave();
  }

  isReady(): boolean {
    return this.#leasing === 0 && !this.#isSettled;
  }

  waitsAt(counter: LooksAgain): void {
    this.#counters.push(counter);
    this.#unseen.add(counter);
  }

  wasLookedFor(counter: LooksAgain): void {
    this.#unseen.delete(counter);
    if (this.#isOver && this.#unseen.size === 0) this.#settle();
  }

  /** The server is stopping, or the caller is gone: nobody need look for it any more. */
  end(): void {
    this.#isOver = true;
    this.#unseen.clear();
    this.#settle();
  }

  /** Leases these lanes in the name of the caller. */
  serve(lanes: readonly Claim[]): void {
    this.#leasing += lanes.length;
    for (const lane of lanes) void this.#lease(lane);
  }

  async #lease(lane: Claim): Promise<void> {
    try {
      const batch = await this.#options.lease(lane, this.#wanted);
      if (batch) this.#batches.push(batch);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#leasing--;
    if (this.#batches.length > 0 || (this.#isOver && this.#unseen.size === 0)) this.#settle();
    // It was not served after all.
    else if (this.#leasing === 0) for (const counter of this.#counters) counter.lookSoon();
  }

  /** Not before all its leases are decided: what is leased must be told. */
  #settle(): void {
    if (this.#leasing > 0 || this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#wanted.signal?.removeEventListener('abort', this.#leave);
    if (this.#isGone) void this.#giveBackAll();
    this.#resolve(this.#isGone ? [] : this.#batches);
  }

  async #giveBackAll(): Promise<void> {
    const { orgId, workerId } = this.#wanted;
    const givenBack = this.#batches.map(({ id: batchId }) => this.#options.giveBack({ orgId, batchId, workerId }));
    // What cannot be given back comes back when its lease ends.
    await Promise.allSettled(givenBack);
  }
}
