/** Long polls: each waits in memory for changes of one interaction, or of one thread's turn. A lost wait costs a reconnect, never an answer. */
import { turnTopic, type Waiter, type Waits } from '../operations/context.ts';
import type { EventHead, Store } from '../stores/store.ts';

/** Events that can settle a turn: its run waits or ends, or its thread has lost its agent. */
const maySettle: readonly EventHead['type'][] = [
  ...(['run.waiting', 'run.completed', 'run.failed', 'run.cancelled', 'thread.updated'] as const),
];

export class WaitHub implements Waits {
  /** Most topics have one waiter, which is stored without a set: ten thousand sets would take megabytes. */
  readonly #waiting = new Map<string, Waiter | Set<Waiter>>();
  #size = 0;
  #isClosed = false;

  constructor(store: Pick<Store, 'onCommitted'>) {
    store.onCommitted((heads) => {
      for (const { type, orgId, threadId, interactionId } of heads) {
        if (interactionId !== undefined) this.#wake(interactionId);
        if (maySettle.includes(type)) this.#wake(turnTopic(orgId, threadId));
      }
    });
  }

  add(topic: string, waiter: Waiter): void {
    const others = this.#waiting.get(topic);
    if (others instanceof Set) others.add(waiter);
    else this.#waiting.set(topic, others ? new Set([others, waiter]) : waiter);
    this.#size++;
    if (this.#isClosed) waiter.end();
  }

  remove(topic: string, waiter: Waiter): void {
    const present = this.#waiting.get(topic);
    const isThere = present === waiter || (present instanceof Set && present.delete(waiter));
    if (isThere) this.#size--;
    if (present === waiter || (present instanceof Set && present.size === 0)) this.#waiting.delete(topic);
  }

  /** Number of waiters. */
  size(): number {
    return this.#size;
  }

  /** Ends every wait, also later ones. */
  close(): void {
    this.#isClosed = true;
    for (const topic of [...this.#waiting.keys()]) for (const waiter of this.#waitersFor(topic)) waiter.end();
  }

  #wake(topic: string): void {
    for (const waiter of this.#waitersFor(topic)) waiter.change();
  }

  #waitersFor(topic: string): Waiter[] {
    const present = this.#waiting.get(topic);
    if (present === undefined) return [];
    return present instanceof Set ? [...present] : [present];
  }
}
