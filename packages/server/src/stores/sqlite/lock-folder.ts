/** Keeps a data folder to one process. The lock is the kernel's, so a process that dies lets go of it. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, isOpenElsewhere, pidFile } from './database-file.ts';
import { databaseFile, makePrivate } from './open-database.ts';

export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

export function lockFolder(folder: string): () => void {
  // Answers may hold secrets, so a folder that we make is its owner's alone.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // SQLite would only say that it is unable to open the file.
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  createDatabase(folder);
  const lockFile = join(folder, 'holdpoint.lock');
  makePrivate(lockFile);
  const lock = new DatabaseSync(lockFile);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    // Deleting the lock file releases nothing: a server keeps its database open as long as it runs.
    if (isOpenElsewhere(join(folder, databaseFile))) throw new Error('the database is locked');
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked')) throw error;
    throw new FolderInUseError(`${folder} is in use by another running Holdpoint${holder(folder)}`, { cause: error });
  }
  return () => lock.close();
}

/** Call it when the database has its tables. From then on a database without tables was lost. */
export function writePid(folder: string): void {
  const path = join(folder, pidFile);
  makePrivate(path);
  writeFileSync(path, String(process.pid));
}

/** The id of the process that has the folder, "" where nobody knows which; undefined where none has. */
export function folderHolder(folder: string): string | undefined {
  const path = join(folder, 'holdpoint.lock');
  if (!existsSync(path)) return undefined;
  const lock = new DatabaseSync(path, { readOnly: true });
  try {
    // Nobody reads while somebody else has it to themselves.
    lock.prepare('SELECT count(*) FROM sqlite_schema').get();
    return undefined;
  } catch (error) {
    if (!String(error).includes('locked')) throw error;
    return pidIn(folder);
  } finally {
    lock.close();
  }
}

function holder(folder: string): string {
  const pid = pidIn(folder);
  return pid === '' ? '' : ` (process ${pid})`;
}

function pidIn(folder: string): string {
  try {
    return readFileSync(join(folder, pidFile), 'utf8');
  } catch {
    return '';
  }
}
