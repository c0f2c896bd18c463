/** One file, opened so that a commit that returned is on disk. */

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
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

/**
 * Does not open a file that exists: closing it would release the locks that this process holds on it, because POSIX
 * locks belong to the process and not to the descriptor.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if ((statSync(path).mode & 0o777) === 0o600) return;
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    // The file belongs to another user, who decides how to share it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
