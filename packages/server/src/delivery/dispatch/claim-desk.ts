/** Where workers wait for batches, those of each org at a counter of its own. */
import type { Batch } from '@holdpoint/protocol';
import type { WantedBatches } from '../../operations/context.ts';
import type { Store } from '../../stores/store.ts';
import { Counter, type CounterOptions } from './counter.ts';
import { WaitingClaim, type WaitingOptions } from './waiting-claim.ts';

export interface ClaimDeskOptions extends Omit<CounterOptions, 'orgId'>, WaitingOptions {
  store: CounterOptions['store'] & Pick<Store, 'onWritten'>;
}

export class ClaimDesk {
  readonly #options: ClaimDeskOptions;
  readonly #counters = new Map<string, Counter>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(options: ClaimDeskOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.onWritten(() => {
      for (const counter of this.#counters.values()) counter.lookSoon();
    });
  }

  /** Resolves with what is ready, or with nothing when the time is up, the caller is gone or the server stops. */
  async claim(wanted: WantedBatches): Promise<Batch[]> {
    if (this.#isClosed) return [];
    const { orgId } = wanted;
    const counter = this.#counters.get(orgId) ?? new Counter({ ...this.#options, orgId });
    this.#counters.set(orgId, counter);
    const claim = new WaitingClaim(wanted, this.#options);
    counter.admit(claim);
    const batches = await claim.result;
    counter.dismiss(claim);
    if (counter.isEmpty() && this.#counters.get(orgId) === counter) this.#counters.delete(orgId);
    return batches;
  }

  /** Lets every claim go, also who comes later. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const counter of this.#counters.values()) counter.close();
  }
}
