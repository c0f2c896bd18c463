/** The callers on this node that wait for batches. Each agent of each org has a poller of its own. */
import type { Batch } from '@holdpoint/protocol';
import { queueTimerKind } from '../../domain/dispatch/thread-queue.ts';
import type { WantedBatches } from '../../operations/context.ts';
import type { Store, TimerKind } from '../../stores/store.ts';
import { ClaimPoller, type ClaimPollerOptions } from './claim-poller.ts';
import { WaitingClaim, type WaitingOptions } from './waiting-claim.ts';

export interface ClaimQueueOptions extends Omit<ClaimPollerOptions, 'orgId' | 'kind'>, WaitingOptions {
  store: ClaimPollerOptions['store'] & Pick<Store, 'onWritten'>;
}

export class ClaimQueue {
  readonly #options: ClaimQueueOptions;
  readonly #pollers = new Map<string, ClaimPoller>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(options: ClaimQueueOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.onWritten(() => {
      for (const poller of this.#pollers.values()) poller.lookSoon();
    });
  }

  /** Resolves with batches as soon as one is ready, or with none when the time is up, the caller hangs up or the server stops. */
  async claim(wanted: WantedBatches): Promise<Batch[]> {
    if (this.#isClosed) return [];
    const { orgId, agents = [undefined] } = wanted;
    const pollers = agents.map((agent) => this.#pollerOf(orgId, queueTimerKind(agent)));
    const claim = new WaitingClaim(wanted, this.#options);
    for (const { poller } of pollers) poller.add(claim);
    const batches = await claim.result;
    for (const { key, poller } of pollers) {
      poller.remove(claim);
      if (poller.isEmpty() && this.#pollers.get(key) === poller) this.#pollers.delete(key);
    }
    return batches;
  }

  #pollerOf(orgId: string, kind: TimerKind): { key: string; poller: ClaimPoller } {
    const key = `${kind} ${orgId}`;
    const poller = this.#pollers.get(key) ?? new ClaimPoller({ ...this.#options, orgId, kind });
    this.#pollers.set(key, poller);
    return { key, poller };
  }

  /** Ends every claim, also later ones. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const poller of this.#pollers.values()) poller.close();
  }
}
