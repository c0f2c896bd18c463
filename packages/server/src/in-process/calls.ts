/** The calls of a process: counted, so that what they need is not closed under them, and refused after the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HoldpointError } from '@holdpoint/protocol';

export class Calls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #onBug: (error: unknown) => void;

  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug;
  }

  /** Aborts, with the error that calls get from then on, when the end begins. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    this.closing.throwIfAborted();
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw this.#known(error);
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when all have come back, and after that time in any case. */
  async close(atMostMs: number): Promise<void> {
    this.#closing.abort(new HoldpointError({ code: 'shutting-down', detail: 'This Holdpoint was closed.' }));
    const enough = new AbortController();
    const timeUp = sleep(atMostMs, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#running), timeUp]);
    enough.abort();
  }

  /** What nobody foresaw is told as HTTP tells it, but with its cause: it is the caller's own process. */
  #known(error: unknown): unknown {
    if (error instanceof HoldpointError) return error;
    this.#onBug(error);
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return new HoldpointError({ code: 'internal', detail: `Something went wrong: ${reason}` }, { cause: error });
  }
}
