/**
 * Retries changes that need a lock of another session. They have their own connection, so that other changes do not
 * wait for them. A try hardly waits: while it waits, it holds locks of its own, and no event after its transaction is
 * delivered (log-order.ts).
 */
import type { EncodedChange } from '../sql/encode-change.ts';
import { storageError } from '../storage-error.ts';
import { BatchWriter, type BatchWriterOptions, halves, type LockTimeout, type PendingWrite } from './batch-writer.ts';
import { claimsOf, lockNames, needsOf, takeBatch } from './change-locks.ts';
import { Connection } from './connection.ts';

/** How long a try waits for each lock. */
const tryMs = 2;
/** Limits the cost of a round whose changes are all still blocked: twice as many transactions. */
const maxTries = 32;
const shortestPauseMs = 10;
const longestPauseMs = 250;

interface BlockedWrite extends PendingWrite {
  /** A later change with any of these needs would be blocked too. */
  needs: readonly string[];
}

export interface BlockedOptions extends Pick<BatchWriterOptions<BlockedWrite>, 'base' | 'onWritten' | 'onFailed'> {
  url: string;
  giveUpMs: number;
}

export class BlockedWrites {
  readonly #connection: Connection;
  readonly #writer: BatchWriter<BlockedWrite>;
  readonly #giveUpMs: number;
  #queue: BlockedWrite[] = [];
  /** The writes that the current round has taken out of the queue. */
  #tried: BlockedWrite[] = [];
  #retrying: Promise<void> | undefined;
  /** The queue has untried writes. */
  #hasNew = false;
  #endPause: () => void = () => {};
  #isClosed = false;
  /** The needs of all blocked changes, until one of them leaves. Every batch asks for them. */
  #needed: Set<string> | undefined;

  constructor({ url, giveUpMs, ...options }: BlockedOptions) {
    this.#connection = new Connection({ url });
    this.#giveUpMs = giveUpMs;
    this.#writer = new BatchWriter({
      ...options,
      connection: this.#connection,
      onLocked: (batch, error) => this.#stillLocked(batch, error),
    });
  }

  get size(): number {
    return this.#queue.length + this.#tried.length;
  }

  /** Returns the needs of all blocked changes. Another change with any of them would wait too. */
  needed(): ReadonlySet<string> {
    this.#needed ??= new Set([...this.#queue, ...this.#tried].flatMap(({ needs }) => needs));
    return this.#needed;
  }

  /** Adds a batch that met a lock. Its changes that do not need this lock are written at once. */
  add(batch: readonly PendingWrite[]): void {
    this.#queue.unshift(...batch.map((write) => ({ ...write, needs: needsOf(write.change) })));
    this.#needed = undefined;
    this.#hasNew = true;
    this.#endPause();
    this.#retrying ??= this.#retryAll();
  }

  /** Adds a change that needs what blocked changes wait for. */
  addBehind(write: PendingWrite, needs: readonly string[]): void {
    this.#queue.push({ ...write, needs });
    for (const need of needs) this.#needed?.add(need);
    this.#retrying ??= this.#retryAll();
  }

  /** Gives up on all changes that are still blocked. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endPause();
    await this.#retrying;
    await this.#connection.close();
  }

  async #retryAll(): Promise<void> {
    let pauseMs = shortestPauseMs;
    while (this.#queue.length > 0) {
      this.#hasNew = false;
      const { batch, left } = takeBatch(this.#queue, maxTries);
      this.#tried = batch;
      this.#queue = left;
      await this.#writer.write(batch, tryMs);
      const hasProgress = this.#tried.length > 0;
      this.#tried = [];
      this.#giveUp();
      this.#needed = undefined;
      pauseMs = hasProgress ? shortestPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      if (!hasProgress && !this.#hasNew && this.#queue.length > 0) await this.#pause(pauseMs);
    }
    this.#retrying = undefined;
  }

  async #stillLocked(batch: BlockedWrite[], { isByName }: LockTimeout): Promise<void> {
    const [write] = batch;
    if (!write || batch.length > 1) for (const half of halves(batch)) await this.#writer.write(half, tryMs);
    else {
      this.#needed = undefined;
      write.needs = isByName ? lockNames(write.change) : claimsOf(write.change);
      this.#tried = this.#tried.filter((other) => other !== write);
      this.#queue.push(write);
    }
  }

  #giveUp(): void {
    const now = performance.now();
    const isOver = ({ since }: BlockedWrite) => this.#isClosed || now - since >= this.#giveUpMs;
    for (const { change, since, reject } of this.#queue.filter(isOver)) {
      const waited = `${((now - since) / 1_000).toFixed(1)} s`;
      reject(storageError(`${nameOf(change)} is locked by another session of the database, for ${waited} so far`));
    }
    this.#queue = this.#queue.filter((write) => !isOver(write));
  }

  #pause(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function nameOf({ interaction, log }: EncodedChange): string {
  if (interaction) return `interaction ${interaction.id}`;
  return log ? `thread ${log.threadId}` : 'a record of this change';
}
