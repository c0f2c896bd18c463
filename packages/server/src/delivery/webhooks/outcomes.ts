/** Saves what became of deliveries: all that settle while a commit is under way go with the next one. */
import type { Delivery } from '@holdpoint/protocol';
import type { Store } from '../../stores/store.ts';

const batch = 200;
const retryMs = 1_000;

export interface OutcomesOptions {
  store: Pick<Store, 'commit'>;
  orgId: string;
  onError(error: unknown): void;
}

export class Outcomes {
  readonly #options: OutcomesOptions;
  readonly #unsaved = new Map<string, Delivery>();
  #saving: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: OutcomesOptions) {
    this.#options = options;
  }

  add(delivery: Delivery): void {
    this.#unsaved.set(delivery.id, delivery);
    if (this.#retry === undefined) this.#save();
  }

  /** Of deliveries whose outcome is not saved yet. */
  ids(): Iterable<string> {
    return this.#unsaved.keys();
  }

  /** Saves what is left, if the store lets it; what it does not is attempted again by whoever comes next. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    await this.#saving;
    this.#save();
    await this.#saving;
  }

  #save(): void {
    this.#saving ??= this.#saveAll()
      .catch((error: unknown) => {
        this.#options.onError(error);
        if (this.#isStopped) return;
        this.#retry = setTimeout(() => {
          this.#retry = undefined;
          this.#save();
        }, retryMs);
      })
      .finally(() => {
        this.#saving = undefined;
        // One that was added after the last look.
        if (this.#unsaved.size > 0 && this.#retry === undefined && !this.#isStopped) this.#save();
      });
  }

  async #saveAll(): Promise<void> {
    const { store, orgId } = this.#options;
    while (this.#unsaved.size > 0) {
      const outcomes = [...this.#unsaved.values()].slice(0, batch);
      // One that somebody else has settled meanwhile stays so: this is the word of an attempt that was overtaken.
      await store.commit({ orgId, changedDeliveries: outcomes.map((record) => ({ record, from: 'pending' })) });
      // It may have changed once more meanwhile.
      for (const delivery of outcomes)
        if (this.#unsaved.get(delivery.id) === delivery) this.#unsaved.delete(delivery.id);
    }
  }
}
