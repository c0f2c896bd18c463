/** Passes changes to the writer thread, which commits them in groups, and settles them in the same order. */
import type { Worker } from 'node:worker_threads';
import type { HoldpointError } from '@holdpoint/protocol';
import { outcomeUnknown, refuseIfStuck, storageError } from '../storage-error.ts';
import type { WriterJob, Written } from './apply-change.ts';
import { damaged } from './damage.ts';
import { startThread } from './open-database.ts';
import type { FromWriter, ToWriter, WriteResult, WriterOptions } from './writer.ts';

interface Waiting {
  /** Start of the wait, by `performance.now()`. */
  since: number;
  resolve(written: Written): void;
  reject(error: Error): void;
}

/**
 * One message for all changes of a turn of the event loop costs least. But the first changes of a long turn are sent before
 * the rest are decided. Otherwise the two threads would wait for each other.
 */
const maxUnsent = 16;

/** As large as an ordinary change. A disk with room for one byte is not ready. */
const probe = ' '.repeat(32_768);

export class GroupCommit {
  #worker: Worker;
  #unsent: WriterJob[] = [];
  /** The waiting callers of all changes, sent or not, in the order of the changes. */
  #waiting: Waiting[] = [];
  #hasRefused = false;
  #isDamaged = false;
  #failure: HoldpointError | undefined;
  #closing: { resolve(): void } | undefined;
  readonly ready: Promise<void>;

  constructor(options: WriterOptions) {
    this.#worker = startThread('writer', options);
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

  write(job: WriterJob): Promise<Written> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(storageError('the store is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ since: performance.now(), resolve, reject });
      const count = this.#unsent.push(job);
      if (count === 1) setImmediate(() => this.#send());
      else if (count === maxUnsent) this.#send();
    });
  }

  /** Rejects if the writer has died or hangs. If the disk refused the last write, tries another one. */
  async check(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#isDamaged) throw damaged();
    refuseIfStuck(this.#waiting[0]);
    if (this.#hasRefused) await this.write({ probe });
  }

  async close(): Promise<void> {
    if (!this.#failure)
      await new Promise<void>((resolve) => {
        this.#closing = { resolve };
        this.#send();
        this.#post({ close: true });
      });
    await this.#worker.terminate();
  }

  #send(): void {
    if (this.#unsent.length > 0) this.#post({ batch: this.#unsent });
    this.#unsent = [];
  }

  #settle(results: WriteResult[]): void {
    const written = this.#waiting.splice(0, results.length);
    written.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      this.#hasRefused = !(result && 'ok' in result);
      if (result && 'ok' in result) resolve(result);
      else if (result?.isDamage) {
        this.#isDamaged = true;
        reject(damaged());
      } else reject(storageError(result?.error ?? 'the writer gave no result'));
    });
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    const why = `the writer stopped: ${error.message}`;
    this.#failure = storageError(why, error);
    const sent = this.#waiting.length - this.#unsent.length;
    for (const [index, { reject }] of this.#waiting.entries())
      reject(index < sent ? outcomeUnknown(why, error) : storageError(why, error));
    this.#waiting = [];
    this.#unsent = [];
    this.#closing?.resolve();
  }
}
