/** Changes that arrive together commit together: while one batch is being synced, the next one gathers. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HoldpointError } from '@holdpoint/protocol';
import type { EncodedChange, Written } from '../sql/encode-change.ts';
import { outcomeUnknown, storageError } from '../storage-error.ts';
import type { FromWriter, ToWriter, WriteResult, WriterOptions } from './writer.ts';

interface Waiting {
  change: EncodedChange;
  resolve(written: Written): void;
  reject(error: Error): void;
}

/** Bounds the time one batch holds the database, and with it the wait of the next. */
const maxBatch = 1_000;

/** As much as an ordinary change writes: a disk with room for one byte is not ready. */
const probe = ' '.repeat(32_768);

export class GroupCommit {
  #worker: Worker;
  #gathering: Waiting[] = [];
  #writing: Waiting[] = [];
  #hasRefused = false;
  #failure: HoldpointError | undefined;
  #closing: { resolve(): void } | undefined;
  readonly ready: Promise<void>;

  constructor(options: WriterOptions) {
    const self = import.meta.url;
    this.#worker = new Worker(new URL(`./writer${extname(self)}`, self), { workerData: options });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromWriter) => {
        if ('ready' in message) resolve();
        else if ('results' in message) this.#settle(message.results);
        else this.#closing?.resolve();
      });
      const stopped = (error: Error) => {
        this.#fail(error);
        reject(error);
      };
      this.#worker.on('error', stopped);
      this.#worker.on('exit', (code) => stopped(new Error(`it ended with code ${code}`)));
    });
    this.ready.catch(() => {});
  }

  write(change: EncodedChange): Promise<Written> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(storageError('the store is closed'));
    return new Promise((resolve, reject) => {
      this.#gathering.push({ change, resolve, reject });
      if (this.#writing.length === 0 && this.#gathering.length === 1) setImmediate(() => this.#send());
    });
  }

  /**
   * Rejects where no write can be taken: a writer that has died does not come back by itself; a disk that refused the
   * last write is tried again.
   */
  async check(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#hasRefused) await this.write({ orgId: '', probe });
  }

  async close(): Promise<void> {
    if (!this.#failure) {
      await new Promise<void>((resolve) => {
        this.#closing = { resolve };
        if (this.#writing.length === 0 && this.#gathering.length === 0) this.#post({ close: true });
      });
    }
    await this.#worker.terminate();
  }

  #send(): void {
    if (this.#writing.length > 0) return;
    this.#writing = this.#gathering.splice(0, maxBatch);
    if (this.#writing.length > 0) this.#post({ batch: this.#writing.map(({ change }) => change) });
    else if (this.#closing) this.#post({ close: true });
  }

  #settle(results: WriteResult[]): void {
    const written = this.#writing;
    this.#writing = [];
    this.#send();
    written.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      this.#hasRefused = !(result && 'ok' in result);
      if (result && 'ok' in result) resolve(result);
      else reject(storageError(result?.error ?? 'the writer gave no result'));
    });
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    const why = `the writer stopped: ${error.message}`;
    this.#failure = storageError(why, error);
    for (const { reject } of this.#writing) reject(outcomeUnknown(why, error));
    for (const { reject } of this.#gathering) reject(this.#failure);
    this.#writing = [];
    this.#gathering = [];
    this.#closing?.resolve();
  }
}
