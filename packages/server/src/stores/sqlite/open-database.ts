/** One file, opened so that a commit that returned is on disk. */
import { DatabaseSync } from 'node:sqlite';

export const databaseFile = 'holdpoint.db';

/**
 * FULL syncs the write-ahead log at every commit; NORMAL would lose acknowledged commits in a power cut. The cache is
 * small because the operating system keeps the same pages.
 */
export function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = FAST;
    PRAGMA cache_size = -2048;
  `);
  return db;
}
