/** Writes batches over one connection, one after the other, and settles each change of a batch by itself. */
import type { EncodedChange } from '../sql/encode-change.ts';
import type { Connection } from './connection.ts';
import { away, isRefusal } from './database-error.ts';
import { LockTimeout, type Written, writeBatch } from './write-batch.ts';

export interface PendingWrite {
  change: EncodedChange;
  /** Start of the wait, by `performance.now()`. */
  since: number;
  resolve(written: Written): void;
  reject(error: unknown): void;
}

export interface BatchWriterOptions<Write extends PendingWrite> {
  connection: Connection;
  base: bigint;
  onWritten(): void;
  /** Called when the database failed and no single change can be the cause. */
  onFailed(): void;
  /** Called when the batch waited too long for a lock of another session. Nothing of the batch was written. */
  onLocked(batch: Write[], error: LockTimeout): void | Promise<void>;
}

export class BatchWriter<Write extends PendingWrite> {
  readonly #options: BatchWriterOptions<Write>;

  constructor(options: BatchWriterOptions<Write>) {
    this.#options = options;
  }

  /** `lockMs` limits the wait for each lock. It defaults to the limit of the connection. */
  async write(batch: Write[], lockMs?: number): Promise<void> {
    await this.#write(batch, lockMs);
  }

  async #write(batch: Write[], lockMs?: number, isRetry = false): Promise<void> {
    const { connection, base, onWritten, onFailed, onLocked } = this.#options;
    try {
      const changes = batch.map(({ change }) => change);
      const written = await writeBatch(connection, changes, { base, lockMs });
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] as Written);
      onWritten();
    } catch (error) {
      connection.mayBeStale(error);
      if (error instanceof LockTimeout) await onLocked(batch, error);
      else if (!isRefusal(error) || !mayBeOneChange(error.code)) {
        onFailed();
        for (const { reject } of batch) reject(refused(error));
      } else if (batch.length > 1) {
        // One change that cannot be written must not fail the rest of its batch. Halving finds it in a few
        // transactions.
        for (const half of halves(batch)) await this.#write(half, lockMs);
      } else if (!isRetry) await this.#write(batch, lockMs, true);
      else batch[0]?.reject(refused(error));
    }
  }
}

export function halves<T>(batch: readonly T[]): [T[], T[]] {
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}

/**
 * Reports whether one change may be the cause: a duplicate key, a value too large, no locks left, a deadlock. Other
 * changes may then be written, or a retry may succeed.
 */
const mayBeOneChange = (code = ''): boolean => /^(22|23|40|54|53200)/.test(code);

const refused = (error: unknown) => (isRefusal(error) ? away(error) : error);
