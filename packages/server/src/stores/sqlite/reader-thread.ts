/** Passes queries to the reader thread, which answers them in order. */
import type { Worker } from 'node:worker_threads';
import type { Reader, Row } from '../sql/select.ts';
import { storageError } from '../storage-error.ts';
import { damaged } from './damage.ts';
import { startThread } from './open-database.ts';
import type { FromReader, ToReader } from './reader.ts';

interface ReaderOptions {
  path: string;
  /** Called when a query has met a damaged page. */
  onDamage?(): void;
}

export class ReaderThread {
  readonly #options: ReaderOptions;
  /** The first query starts it, and the next one restarts it if it died. A server that lists nothing runs without it. */
  #worker: Worker | undefined;
  #waiting: { resolve(rows: Row[][]): void; reject(error: Error): void }[] = [];
  #isClosed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  readonly read: Reader = (queries) =>
    new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(storageError('the store is closed'));
      this.#worker ??= this.#start();
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(queries satisfies ToReader);
    });

  /** Waits for the running queries and rejects later ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    await new Promise((resolve) => {
      worker.once('exit', resolve);
      worker.postMessage('close');
    });
  }

  #start(): Worker {
    const { path, onDamage } = this.#options;
    const worker = startThread('reader', { path });
    worker.on('message', (message: FromReader) => {
      const asked = this.#waiting.shift();
      if ('rows' in message) return asked?.resolve(message.rows);
      if (message.isDamage) onDamage?.();
      asked?.reject(message.isDamage ? damaged() : storageError(`the database cannot be read: ${message.error}`));
    });
    const stopped = (why: string, error?: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting.splice(0)) reject(storageError(why, error));
    };
    worker.on('error', (error) => stopped(`the reader stopped: ${error.message}`, error));
    worker.on('exit', (code) => stopped(`the reader ended with code ${code}`));
    return worker;
  }
}
