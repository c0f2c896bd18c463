/**
 * Reads what is pending for one webhook, when there may be some that nobody here knows. What is settled while it reads is
 * left out: of that the store's word is old.
 */
import type { Delivery } from '@holdpoint/protocol';
import type { Store } from '../../stores/store.ts';
import { pageSize } from '../log-reader.ts';

export interface PendingOptions {
  orgId: string;
  webhookId: string;
  store: Pick<Store, 'listDeliveries'>;
  isStopped(): boolean;
}

export class Pending {
  readonly #options: PendingOptions;
  #isStale = true;
  /** While it reads. */
  #settled: Set<string> | undefined;

  constructor(options: PendingOptions) {
    this.#options = options;
  }

  /** There may be pending ones that were not read. */
  expectMore(): void {
    this.#isStale = true;
  }

  noteSettled(id: string): void {
    this.#settled?.add(id);
  }

  /** `unsaved`: those that were settled before, as the store does not know yet. */
  async read(unsaved: Iterable<string>, add: (delivery: Delivery) => void): Promise<void> {
    if (!this.#isStale) return;
    // Before it reads, because more may be expected meanwhile.
    this.#isStale = false;
    this.#settled = new Set(unsaved);
    try {
      await this.#readAll(this.#settled, add);
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#settled = undefined;
    }
  }

  async #readAll(settled: ReadonlySet<string>, add: (delivery: Delivery) => void): Promise<void> {
    const { orgId, webhookId, store, isStopped } = this.#options;
    const by = { orgId, webhookId, status: 'pending', order: 'oldest', limit: pageSize } as const;
    let cursor: string | undefined;
    do {
      const page = await store.listDeliveries({ ...by, ...(cursor === undefined ? {} : { cursor }) });
      for (const delivery of page.items) if (!settled.has(delivery.id)) add(delivery);
      cursor = page.next;
    } while (cursor !== undefined && !isStopped());
  }
}
