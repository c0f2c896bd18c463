/**
 * Collects changes while a batch is written, and writes them as the next batch over one connection. Few large batches cost
 * less than many small ones, even if those are written at the same time. Changes that meet a lock of another session are
 * written over another connection (blocked-writes.ts).
 */
import { HoldpointError } from '@holdpoint/protocol';
import type { EncodedChange } from '../sql/encode-change.ts';
import { refuseIfStuck, storageError } from '../storage-error.ts';
import { BatchWriter, type BatchWriterOptions, type PendingWrite, type Written } from './batch-writer.ts';
import { BlockedWrites } from './blocked-writes.ts';
import { needsOf, takeBatch } from './change-locks.ts';
import { Connection } from './connection.ts';
import { away, isLockTimeout } from './database-error.ts';
import { hasNul } from './reads.ts';

/** Longer than other nodes usually hold the lock of a thread. A change that waits longer is set aside, not lost. */
const defaultLockMs = 100;
/** Used while a change is blocked. Other locks are then probably held too, and each delays all other changes by this time. */
const lockMsWhileBlocked = 10;
/** The longest time that the database may take to respond. */
const defaultGiveUpMs = 15_000;

export interface LockWaits {
  /** How long a batch waits for a lock of another session before the change that needs it is set aside. */
  lockMs?: number;
  /** How long a change waits for a lock in total. */
  giveUpMs?: number;
}

export interface GroupCommitOptions extends LockWaits, Pick<BatchWriterOptions<PendingWrite>, 'base' | 'onWritten'> {
  url: string;
}

export class GroupCommit {
  readonly #connection: Connection;
  readonly #writer: BatchWriter<PendingWrite>;
  readonly #blocked: BlockedWrites;
  readonly #lockMsWhileBlocked: number;
  #gathering: PendingWrite[] = [];
  #batch: PendingWrite[] = [];
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor({ url, base, onWritten, lockMs = defaultLockMs, giveUpMs = defaultGiveUpMs }: GroupCommitOptions) {
    this.#connection = new Connection({ url, lockMs });
    this.#lockMsWhileBlocked = Math.min(lockMs, lockMsWhileBlocked);
    const options = {
      base,
      onWritten: () => {
        this.#hasFailed = false;
        onWritten();
      },
      onFailed: () => {
        this.#hasFailed = true;
      },
    };
    this.#writer = new BatchWriter({
      ...options,
      connection: this.#connection,
      onLocked: (batch) => this.#blocked.add(batch),
    });
    this.#blocked = new BlockedWrites({ ...options, url, giveUpMs });
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
      if (this.#hasFailed) await this.#connection.query(probeWrite);
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
      await this.#writer.write(batch, this.#blocked.size > 0 ? this.#lockMsWhileBlocked : undefined);
      this.#batch = [];
    }
    this.#writing = undefined;
  }

  /** Takes out changes that need a lock of a blocked change. In a batch they would delay all others until the lock timeout. */
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

/** Every table that a change may write. */
const tables = [
  ...['meta', 'orgs', 'api_keys', 'threads', 'interactions', 'assigned', 'messages', 'events', 'grants', 'secrets'],
  ...['idempotency', 'timers', 'documents', 'deliveries', 'runs', 'journal'],
];

const takesWrites = { name: 'check', text: `SELECT current_setting('transaction_read_only') = 'off' AS takes_writes` };
/** Fails if another session has locked a whole table. Two statements in one message form a transaction. */
const lockTables = { text: `LOCK TABLE ${tables.join(', ')} IN ROW EXCLUSIVE MODE; SELECT true` };
/** As large as an ordinary change. */
const probeWrite = {
  text: `INSERT INTO meta (key, value) VALUES ('probe', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  values: [' '.repeat(32_768)],
};

async function checkWritable(connection: Connection): Promise<void> {
  const [row] = await connection.query(takesWrites);
  if (!row?.takes_writes) {
    connection.renew();
    throw storageError('the database accepts no writes at present');
  }
  try {
    await connection.query(lockTables);
  } catch (error) {
    throw isLockTimeout(error) ? storageError('another session of the database has locked a table', error) : error;
  }
}
