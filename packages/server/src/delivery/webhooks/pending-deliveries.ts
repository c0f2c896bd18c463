/**
 * The pending deliveries of one webhook, between this node and the store: saves attempts, and reads deliveries that this
 * node does not know. Attempts that end during a commit are saved together by the next one.
 */
import type { Delivery } from '@holdpoint/protocol';
import { CoalescedRunner } from '../../coalesced-runner.ts';
import { saveAttempts } from '../../operations/webhooks/send-deliveries.ts';
import type { Store } from '../../stores/store.ts';
import { pageSize } from '../log-reader.ts';

const batch = 200;

export interface PendingDeliveriesOptions {
  orgId: string;
  webhookId: string;
  store: Store;
  onError(error: unknown): void;
}

export class PendingDeliveries {
  readonly #options: PendingDeliveriesOptions;
  readonly #unsaved = new Map<string, Delivery>();
  readonly #saving: CoalescedRunner;
  /** There may be pending deliveries in the store that were not read. */
  #isStale = true;
  /** Deliveries whose record in the store may be older than their last attempt. Only while reading. */
  #outdated: Set<string> | undefined;
  #isStopped = false;

  constructor(options: PendingDeliveriesOptions) {
    this.#options = options;
    this.#saving = new CoalescedRunner({ run: () => this.#saveAll(), onError: options.onError });
  }

  /** Saves an attempt. */
  save(delivery: Delivery): void {
    this.#outdated?.add(delivery.id);
    this.#unsaved.set(delivery.id, delivery);
    this.#saving.trigger();
  }

  expectMore(): void {
    this.#isStale = true;
  }

  /** Reads all pending deliveries, if there may be unknown ones. */
  async read(add: (delivery: Delivery) => void): Promise<void> {
    if (!this.#isStale) return;
    // Before it reads, because more may be expected meanwhile.
    this.#isStale = false;
    this.#outdated = new Set(this.#unsaved.keys());
    try {
      await this.#readAll(this.#outdated, add);
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#outdated = undefined;
    }
  }

  /** Saves the remaining attempts, if the store can. The next node repeats those that it cannot. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#saving.finish();
  }

  async #readAll(outdated: ReadonlySet<string>, add: (delivery: Delivery) => void): Promise<void> {
    const { orgId, webhookId, store } = this.#options;
    const by = { orgId, webhookId, status: 'pending', order: 'oldest', limit: pageSize } as const;
    let from = {};
    while (!this.#isStopped) {
      const { items, next: cursor } = await store.listDeliveries({ ...by, ...from });
      for (const delivery of items) if (!outdated.has(delivery.id)) add(delivery);
      if (cursor === undefined) return;
      from = { cursor };
    }
  }

  async #saveAll(): Promise<undefined> {
    while (this.#unsaved.size > 0) {
      const attempted = [...this.#unsaved.values()].slice(0, batch);
      await saveAttempts(this.#options, this.#options.orgId, attempted);
      // A delivery may have been attempted once more meanwhile.
      for (const delivery of attempted)
        if (this.#unsaved.get(delivery.id) === delivery) this.#unsaved.delete(delivery.id);
    }
  }
}
