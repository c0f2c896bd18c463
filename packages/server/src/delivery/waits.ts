/** Long polls: each waits in memory for changes of one interaction. Losing one costs a reconnect, never an answer. */
import type { Waiter, Waits } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';

export class WaitHub implements Waits {
  /** A lone waiter, as most are, stands for itself: ten thousand sets would take megabytes. */
  readonly #waiting = new Map<string, Waiter | Set<Waiter>>();
  #size = 0;
  #isClosed = false;

  constructor(store: Pick<Store, 'onCommitted'>) {
    store.onCommitted((heads) => {
      for (const { interactionId } of heads) {
        if (interactionId !== undefined) for (const waiter of this.#waitersFor(interactionId)) waiter.change();
      }
    });
  }

  add(interactionId: string, waiter: Waiter): void {
    const others = this.#waiting.get(interactionId);
    if (others instanceof Set) others.add(waiter);
    else this.#waiting.set(interactionId, others ? new Set([others, waiter]) : waiter);
    this.#size++;
    if (this.#isClosed) waiter.end();
  }

  remove(interactionId: string, waiter: Waiter): void {
    const present = this.#waiting.get(interactionId);
    const isThere = present === waiter || (present instanceof Set && present.delete(waiter));
    if (isThere) this.#size--;
    if (present === waiter || (present instanceof Set && present.size === 0)) this.#waiting.delete(interactionId);
  }

  /** How many are waiting now. */
  size(): number {
    return this.#size;
  }

  /** Lets every waiter go, also who comes later. */
  close(): void {
    this.#isClosed = true;
    for (const interactionId of [...this.#waiting.keys()]) {
      for (const waiter of this.#waitersFor(interactionId)) waiter.end();
    }
  }

  #waitersFor(interactionId: string): Waiter[] {
    const present = this.#waiting.get(interactionId);
    if (present === undefined) return [];
    return present instanceof Set ? [...present] : [present];
  }
}
