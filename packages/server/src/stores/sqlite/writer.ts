/** The writer thread: takes batches of changes, commits each batch with one fsync, and says what became of every change. */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { changeApplier } from './apply-change.ts';
import type { EncodedChange, Written } from './encode-change.ts';
import { openDatabase } from './open-database.ts';

export type ToWriter = { batch: EncodedChange[] } | { close: true };
export type FromWriter = { results: WriteResult[] } | { closed: true } | { ready: true };
export type WriteResult = Written | { error: string };

if (parentPort) serve(parentPort, openDatabase(workerData.path));

function serve(port: NonNullable<typeof parentPort>, db: DatabaseSync): void {
  const apply = changeApplier(db);
  port.on('message', (message: ToWriter) => {
    if ('batch' in message) {
      port.postMessage({ results: commitBatch(db, apply, message.batch) } satisfies FromWriter);
      return;
    }
    db.close();
    port.postMessage({ closed: true } satisfies FromWriter);
  });
  port.postMessage({ ready: true } satisfies FromWriter);
}

export function commitBatch(
  db: DatabaseSync,
  apply: (change: EncodedChange) => Written,
  batch: EncodedChange[],
): WriteResult[] {
  try {
    db.exec('BEGIN IMMEDIATE');
    const results = batch.map(apply);
    db.exec('COMMIT');
    return results;
  } catch (error) {
    rollback(db);
    // One change that cannot be written must not fail its neighbours: each gets a transaction of its own.
    if (batch.length > 1) return batch.flatMap((change) => commitBatch(db, apply, [change]));
    return [{ error: error instanceof Error ? error.message : String(error) }];
  }
}

function rollback(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}
