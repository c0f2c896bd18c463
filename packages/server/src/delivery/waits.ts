/** Long polls: each waits in memory for the next change of one interaction. Losing one costs a reconnect, never an answer. */
import type { StopSignal } from '@holdpoint/protocol';
import type { Listening, Waits } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';

export interface WaitHub extends Waits {
  /** How many are waiting now. */
  size(): number;
  /** Lets every waiter go with what is true now. */
  close(): void;
}

export function waitHub(store: Pick<Store, 'onCommitted'>): WaitHub {
  const waiting = new Map<string, Set<Waiter>>();
  let isClosed = false;
  store.onCommitted((heads) => {
    for (const { interactionId } of heads) {
      if (interactionId !== undefined) for (const waiter of waiting.get(interactionId) ?? []) waiter.change();
    }
  });

  return {
    listen(interactionId): Listening {
      const waiter = new Waiter();
      const peers = waiting.get(interactionId);
      if (peers) peers.add(waiter);
      else waiting.set(interactionId, new Set([waiter]));
      if (isClosed) waiter.end();
      return {
        next: (timeoutMs, signal) => waiter.next(timeoutMs, signal),
        stop() {
          const set = waiting.get(interactionId);
          set?.delete(waiter);
          if (set?.size === 0) waiting.delete(interactionId);
        },
      };
    },
    size: () => [...waiting.values()].reduce((sum, { size }) => sum + size, 0),
    close() {
      isClosed = true;
      for (const set of waiting.values()) for (const waiter of set) waiter.end();
    },
  };
}

class Waiter {
  #hasChanged = false;
  #isEnded = false;
  #wake: ((hasChanged: boolean) => void) | undefined;

  change(): void {
    this.#hasChanged = true;
    this.#wake?.(true);
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.(false);
  }

  next(timeoutMs: number, signal?: StopSignal): Promise<boolean> {
    if (this.#hasChanged) {
      this.#hasChanged = false;
      return Promise.resolve(true);
    }
    if (this.#isEnded || timeoutMs <= 0 || signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (hasChanged: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#wake = undefined;
        this.#hasChanged = false;
        resolve(hasChanged);
      };
      const abort = () => settle(false);
      const timer = setTimeout(abort, timeoutMs);
      signal?.addEventListener('abort', abort, { once: true });
      this.#wake = settle;
    });
  }
}
