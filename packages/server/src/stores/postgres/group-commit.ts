/**
 * Changes that arrive while a batch is being written are the next batch, all over one connection: few large batches cost
 * less than many small ones, even if those are written at the same time. Changes that meet a lock of another session
 * leave this lane (blocked-writes.ts).
 */
import { HoldpointError } from '@holdpoint/protocol';
import type { EncodedChange } from '../sql/encode-change.ts';
import { refuseIfStuck, storageError } from '../storage-error.ts';
import { BatchWriter, type PendingWrite } from './batch-writer.ts';
import { BlockedWrites, needsOf } from './blocked-writes.ts';
import { Connection } from './connection.ts';
import { away } from './database-error.ts';
import { hasNul } from './reads.ts';
import { takeBatch } from './take-batch.ts';
import { checkWritable, probeWrite } from './writable.ts';
import type { Written } from './write-batch.ts';

/** Longer than other nodes usually hold the lock of a thread. A change that waits longer is not lost but set aside. */
const defaultLockMs = 100;
/**
 * Used while a change is blocked. Other locks are then probably held too, and each delays all other changes by this
 * time.
 */
const lockMsBesideBlocked = 10;
/** The longest time that the database may take to respond. */
const defaultGiveUpMs = 15_000;

export interface LockWaits {
  /** How long a batch waits for a lock of another session before the change that needs it is set aside. */
  lockMs?: number;
  /** How long a change waits for a lock in total. */
  giveUpMs?: number;
}

export interface GroupCommitOptions extends LockWaits {
  url: string;
  base: bigint;
  onWritten(): void;
}

export class GroupCommit {
  readonly #connection: Connection;
  readonly #lane: BatchWriter<PendingWrite>;
  readonly #blocked: BlockedWrites;
  readonly #lockMsBesideBlocked: number;
  #gathering: PendingWrite[] = [];
  #batch: PendingWrite[] = [];
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor({ url, base, onWritten, lockMs = defaultLockMs, giveUpMs = defaultGiveUpMs }: GroupCommitOptions) {
    this.#connection = new Connection({ url, lockMs });
    this.#lockMsBesideBlocked = Math.min(lockMs, lockMsBesideBlocked);
    const lane = {
      base,
      onWritten: () => {
        this.#hasFailed = false;
        onWritten();
      },
      onFailed: () => {
        this.#hasFailed = true;
      },
    };
    this.#lane = new BatchWriter({
      ...lane,
      connection: this.#connection,
      onLocked: (batch) => this.#blocked.add(batch),
    });
    this.#blocked = new BlockedWrites({ ...lane, url, giveUpMs });
  }

  /** Number of changes that wait for a lock of another session. */
  get blockedCount(): number {
    return this.#blocked.size;
  }

  write(change: EncodedChange): Promise<Written> {
    if (this.#isClosed) return Promise.reject(storageError('the store is closed'));
    if (change.log && hasNul(change.log.threadId)) return Promise.resolve({ ok: false, reason: 'no-thread' });
    return new Promise((resolve, reject) => {
      this.#gathering.push({ change, since: performance.now(), resolve, reject });
      this.#writing ??= nextTurn().then(() => this.#writeAll());
    });
  }

  /** Rejects if nothing can be written. Blocked changes do not count, because others are still written. */
  async check(): Promise<void> {
    // A batch always has the oldest write, and both lists are in the order of arrival.
    refuseIfStuck(this.#batch[0] ?? this.#gathering[0]);
    try {
      await checkWritable(this.#connection);
      if (this.#hasFailed) await probeWrite(this.#connection);
    } catch (error) {
      throw error instanceof HoldpointError ? error : away(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#blocked.close();
    await this.#connection.close();
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      this.#setAside();
      const { batch, left } = takeBatch(this.#gathering);
      if (batch.length === 0) break;
      this.#gathering = left;
      this.#batch = batch;
      await this.#lane.write(batch, this.#blocked.size > 0 ? this.#lockMsBesideBlocked : undefined);
      this.#batch = [];
    }
    this.#writing = undefined;
  }

  /**
   * Takes out changes that need what a blocked change waits for. In a batch they would delay all others until the lock
   * timeout.
   */
  #setAside(): void {
    if (this.#blocked.size === 0) return;
    const needed = this.#blocked.needed();
    this.#gathering = this.#gathering.filter((write) => {
      const needs = needsOf(write.change).filter((need) => needed.has(need));
      if (needs.length > 0) this.#blocked.addBehind(write, needs);
      return needs.length === 0;
    });
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
