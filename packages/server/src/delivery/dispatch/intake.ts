/** Takes in the inputs of one org as they are committed, from where it was left. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { LogEvent } from '@holdpoint/protocol';
import { inputEventTypes, inputReader, isInput } from '../../domain/dispatch/inputs.ts';
import type { DocumentChange, EventHead } from '../../stores/store.ts';
import type { Duty } from '../duties.ts';
import { LogReader, type LogReaderOptions } from '../log-reader.ts';

const retryMs = 1_000;

export interface IntakeOptions extends Pick<LogReaderOptions, 'orgId' | 'store'> {
  /** Resolves when what is given has been saved. */
  takeIn(orgId: string, inputs: readonly LogEvent[]): Promise<void>;
  /** Called each time when all inputs so far have been read. */
  onCaughtUp?(): void;
  onError(error: unknown): void;
}

export class Intake implements Duty {
  readonly #options: IntakeOptions;
  readonly #reader: LogReader;
  readonly #stopping = new AbortController();
  #hasMore = false;
  #running: Promise<void> | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#reader = new LogReader({ ...options, id: inputReader.id, filter: { types: inputEventTypes } });
    this.#wake();
  }

  /** Events of its org were committed. */
  hear(heads: readonly EventHead[]): void {
    if (this.#reader.hears(heads)) this.#wake();
  }

  /** What was read is taken in and the cursor saved, so that whoever is next begins after it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#reader.stop();
  }

  #wake(): void {
    this.#hasMore = true;
    this.#running ??= this.#readAll().finally(() => {
      this.#running = undefined;
      if (this.#hasMore && !this.#stopping.signal.aborted) this.#wake();
    });
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stopping;
    // What commits in one turn of the event loop is read at once.
    await nextTurn();
    while (this.#hasMore && !signal.aborted) {
      this.#hasMore = false;
      try {
        const { hasMore } = await this.#reader.read((events, moved) => this.#take(events, moved));
        if (hasMore) this.#hasMore = true;
      } catch (error) {
        this.#options.onError(error);
        this.#hasMore = true;
        await pause(retryMs, undefined, { signal }).catch(() => {});
      }
    }
    this.#options.onCaughtUp?.();
  }

  /** A crash between the two takes the same inputs in again: at least once. */
  async #take(events: readonly LogEvent[], moved: DocumentChange<'reader'>) {
    const { orgId, store, takeIn } = this.#options;
    // Which of them are inputs in their threads, those know.
    const inputs = events.filter((event) => isInput(event, { hasAgent: true }));
    if (inputs.length === 0) return 'passed';
    await takeIn(orgId, inputs);
    return (await store.commit({ orgId, documents: [moved] })).ok ? 'saved' : 'overtaken';
  }
}
