/** One file, opened so that a commit that returned is on disk. */
import { DatabaseSync } from 'node:sqlite';

export const databaseFile = 'holdpoint.db';

/**
 * FULL syncs the write-ahead log at every commit; NORMAL would lose acknowledged commits in a power cut. A checkpoint
 * every 64 MB of log and not every 4: each copies pages that the next commits would change again.
 */
export function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = FAST;
    PRAGMA cache_size = -16384;
    PRAGMA wal_autocheckpoint = 16000;
  `);
  return db;
}
