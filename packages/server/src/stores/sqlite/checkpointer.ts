/** The checkpoint thread: copies commits from the write-ahead log into the database while the writer continues. */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './open-database.ts';

if (parentPort) serve(parentPort, openDatabase(workerData.path));

function serve(port: NonNullable<typeof parentPort>, db: DatabaseSync): void {
  port.on('message', () => {
    try {
      // PASSIVE waits for no other connection, and no other connection waits for it.
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // The disk is full or missing. The log keeps everything, and the writer will ask again.
    }
    port.postMessage('done');
  });
}
