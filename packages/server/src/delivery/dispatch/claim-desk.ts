/** Where workers wait for batches, those for each agent of each org at a counter of its own. */
import type { Batch } from '@holdpoint/protocol';
import { laneKind } from '../../domain/dispatch/lane.ts';
import type { WantedBatches } from '../../operations/context.ts';
import type { Store, TimerKind } from '../../stores/store.ts';
import { Counter, type CounterOptions } from './counter.ts';
import { WaitingClaim, type WaitingOptions } from './waiting-claim.ts';

export interface ClaimDeskOptions extends Omit<CounterOptions, 'orgId' | 'kind'>, WaitingOptions {
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
    const { orgId, agents = [undefined] } = wanted;
    const counters = agents.map((agent) => this.#counterOf(orgId, laneKind(agent)));
    const claim = new WaitingClaim(wanted, this.#options);
    for (const { counter } of counters) counter.admit(claim);
    const batches = await claim.result;
    for (const { key, counter } of counters) {
      counter.dismiss(claim);
      if (counter.isEmpty() && this.#counters.get(key) === counter) this.#counters.delete(key);
    }
    return batches;
  }

  #counterOf(orgId: string, kind: TimerKind): { key: string; counter: Counter } {
    const key = `${kind} ${orgId}`;
    const counter = this.#counters.get(key) ?? new Counter({ ...this.#options, orgId, kind });
    this.#counters.set(key, counter);
    return { key, counter };
  }

  /** Lets every claim go, also who comes later. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const counter of this.#counters.values()) counter.close();
  }
}
