/** Opens the database, and the threads that use it. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { migrationsAfter } from '../sql/migrations.ts';

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

/** Calls `onOlder` before it upgrades the data of an earlier version. All of it happens in one turn of the event loop. */
export function migrate(db: DatabaseSync, onOlder: () => void = () => {}): void {
  const migrations = migrationsAfter(versionOf(db), 'sqlite');
  if (hasTables(db) && migrations.length > 0) onOlder();
  for (const { version, sql } of migrations)
    db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version}; COMMIT`);
}

export const hasTables = (db: DatabaseSync): boolean => versionOf(db) > 0;

/** The number of the last migration that the database has had. */
const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.user_version);

export function startThread(name: 'writer' | 'reader' | 'checkpointer', workerData: { path: string }): Worker {
  const self = import.meta.url;
  return new Worker(new URL(`./${name}${extname(self)}`, self), { workerData });
}
