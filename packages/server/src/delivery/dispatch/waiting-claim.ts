/** One caller that waits for batches. It gets the first that are ready, or none when its time is up. */
import type { Batch } from '@holdpoint/protocol';
import type { WantedBatches } from '../../operations/context.ts';
import type { Claim } from '../../stores/store.ts';

export interface WaitingOptions {
  /** Resolves with undefined if there is nothing to lease after all. */
  lease(queue: Claim, worker: { workerId: string; leaseMs: number }): Promise<Batch | undefined>;
  giveBack(batch: { orgId: string; batchId: string; workerId: string }): Promise<void>;
  onError(error: unknown): void;
}

/** A claim poller, as far as a claim needs it. */
interface Poller {
  lookSoon(): void;
}

export class WaitingClaim {
  readonly limit: number;
  readonly #settled = Promise.withResolvers<Batch[]>();
  readonly result = this.#settled.promise;
  readonly #wanted: WantedBatches;
  readonly #options: WaitingOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #hangUp = () => {
    this.#isGone = true;
    this.end();
  };
  #batches: Batch[] = [];
  #leasing = 0;
  /** The pollers of all its agents, and those of them that have not looked for it yet. */
  readonly #pollers: Poller[] = [];
  readonly #unpolled = new Set<Poller>();
  #isOver = false;
  #isGone = false;
  #isSettled = false;

  constructor(wanted: WantedBatches, options: WaitingOptions) {
    this.#wanted = wanted;
    this.#options = options;
    this.limit = wanted.limit;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      // A claim with no waiting time still gets the batches that are ready.
      if (this.#unpolled.size === 0) this.#settle();
    }, wanted.waitMs);
    wanted.signal?.addEventListener('abort', this.#hangUp);
    if (wanted.signal?.aborted) this.#hangUp();
  }

  isReady(): boolean {
    return this.#leasing === 0 && !this.#isSettled;
  }

  addPoller(poller: Poller): void {
    this.#pollers.push(poller);
    this.#unpolled.add(poller);
  }

  /** Called by each of its pollers after every look. */
  polledBy(poller: Poller): void {
    this.#unpolled.delete(poller);
    if (this.#isOver && this.#unpolled.size === 0) this.#settle();
  }

  /** Called when the server stops or the caller hangs up: no poller needs to look for it any more. */
  end(): void {
    this.#isOver = true;
    this.#unpolled.clear();
    this.#settle();
  }

  /** Leases these queues in the name of the caller. */
  serve(queues: readonly Claim[]): void {
    this.#leasing += queues.length;
    for (const queue of queues) void this.#lease(queue);
  }

  async #lease(queue: Claim): Promise<void> {
    try {
      const batch = await this.#options.lease(queue, this.#wanted);
      if (batch) this.#batches.push(batch);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#leasing--;
    if (this.#batches.length > 0 || (this.#isOver && this.#unpolled.size === 0)) this.#settle();
    // None of the queues could be leased.
    else if (this.#leasing === 0) for (const poller of this.#pollers) poller.lookSoon();
  }

  /** Waits until all its leases are decided, because the caller must learn of every leased batch. */
  #settle(): void {
    if (this.#leasing > 0 || this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#wanted.signal?.removeEventListener('abort', this.#hangUp);
    if (this.#isGone) void this.#giveBackAll();
    this.#settled.resolve(this.#isGone ? [] : this.#batches);
  }

  /** A batch that cannot be given back is free again when its lease ends. */
  async #giveBackAll(): Promise<void> {
    const { orgId, workerId } = this.#wanted;
    const givenBack = this.#batches.map(({ id: batchId }) => this.#options.giveBack({ orgId, batchId, workerId }));
    await Promise.allSettled(givenBack);
  }
}
