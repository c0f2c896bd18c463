/** Reads the log of one org for inputs, from where it was left, and takes them in as they are committed. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { LogEvent } from '@holdpoint/protocol';
import { inputEventTypes, inputReader, isInput } from '../../domain/dispatch/inputs.ts';
import type { Document, EventHead, Store } from '../../stores/store.ts';
import type { Duty } from '../duties.ts';

const pageSize = 200;
const retryMs = 1_000;
/** A cursor that only skipped what is no input is saved this often: losing it costs reading that again. */
const saveMs = 10_000;

/** After so many events that are no input it reads on all the same, so that the next input is not behind a million. */
const mostUnread = 5_000;

const inputTypes: ReadonlySet<string> = new Set(inputEventTypes);
const mayBeInput = ({ type }: EventHead): boolean => inputTypes.has(type);

export interface IntakeOptions {
  orgId: string;
  store: Pick<Store, 'getDocument' | 'commit' | 'readEvents' | 'headCursor'>;
  /** Resolves when what is given has been saved. */
  takeIn(orgId: string, inputs: readonly LogEvent[]): Promise<void>;
  onError(error: unknown): void;
}

export class Intake implements Duty {
  readonly #options: IntakeOptions;
  readonly #stopping = new AbortController();
  #saved: Document<'reader'> | undefined;
  #savedAt = 0;
  #cursor = '';
  #hasMore = false;
  /** Events that it was told of since it last read, none of them an input. */
  #unread = 0;
  #running: Promise<void> | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.wake();
  }

  /** Events of its org were committed. */
  hear(heads: readonly EventHead[]): void {
    this.#unread += heads.length;
    if (this.#unread >= mostUnread || heads.some(mayBeInput)) this.wake();
  }

  wake(): void {
    this.#unread = 0;
    this.#hasMore = true;
    this.#running ??= this.#readAll().finally(() => {
      this.#running = undefined;
      if (this.#hasMore && !this.#stopping.signal.aborted) this.wake();
    });
  }

  /** What was read is taken in and the cursor saved, so that whoever is next begins after it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (this.#saved && this.#cursor !== this.#saved.record.cursor) await this.#save();
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stopping;
    // What commits in one turn of the event loop is read at once.
    await nextTurn();
    while (this.#hasMore && !signal.aborted) {
      this.#hasMore = false;
      try {
        await this.#readPage();
      } catch (error) {
        this.#options.onError(error);
        this.#saved = undefined;
        this.#hasMore = true;
        await pause(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #readPage(): Promise<void> {
    const { orgId, store, takeIn } = this.#options;
    await this.#load();
    // Read before the page: a short page then proves that nothing up to this head is missing.
    const head = await store.headCursor();
    const page = await store.readEvents({ orgId, types: inputEventTypes, after: this.#cursor, limit: pageSize });
    const inputs = page.filter(isInput);
    // A crash between these two takes the same inputs in again: at least once.
    await takeIn(orgId, inputs);
    const last = page.at(-1)?.cursor ?? this.#cursor;
    const isShort = page.length < pageSize;
    this.#cursor = isShort && head > last ? head : last;
    if (!isShort) this.#hasMore = true;
    if (inputs.length > 0 || performance.now() - this.#savedAt > saveMs) await this.#save();
  }

  async #load(): Promise<void> {
    if (this.#saved) return;
    const { orgId, store } = this.#options;
    this.#saved = await store.getDocument({ orgId, ...inputReader });
    if (!this.#saved) throw new Error(`the org ${orgId} has no reader for dispatch`);
    this.#cursor = this.#saved.record.cursor;
  }

  /** Where another node has saved in between, this one goes on from there. */
  async #save(): Promise<void> {
    const { orgId, store } = this.#options;
    const expected = this.#saved?.revision ?? null;
    const cursor = this.#cursor;
    this.#saved = undefined;
    await store.commit({ orgId, documents: [{ ...inputReader, record: { cursor }, expected }] });
    this.#savedAt = performance.now();
  }
}
