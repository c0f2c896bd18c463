/** Counts the calls of a process, so that the data is not closed under them, and rejects calls after the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HoldpointError } from '@holdpoint/protocol';

export class Calls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #onBug: (error: unknown) => void;

  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug;
  }

  /** Aborts when the end begins. Its reason is the error of all later calls. */
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

  /** Resolves when all calls have returned, or after that time. */
  async close(atMostMs: number): Promise<void> {
    this.#closing.abort(new HoldpointError({ code: 'shutting-down', detail: 'This Holdpoint was closed.' }));
    const enough = new AbortController();
    const timeUp = sleep(atMostMs, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#running), timeUp]);
    enough.abort();
  }

  /** Converts an unexpected error as HTTP does, but with its cause, because the process belongs to the caller. */
  #known(error: unknown): unknown {
    if (error instanceof HoldpointError) return error;
    this.#onBug(error);
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return new HoldpointError({ code: 'internal', detail: `Something went wrong: ${reason}` }, { cause: error });
  }
}
