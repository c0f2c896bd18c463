/**
 * Checks the data folder: that one process uses it, that its database was not lost, and that the file is still the opened
 * one. The lock belongs to the kernel, so a process that dies releases it.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, makePrivate } from './open-database.ts';

/** Holds the id of the process that opened the folder last. */
const pidFile = 'holdpoint.pid';
const lockFile = 'holdpoint.lock';

/** Longest time that a backup or a check of the database may delay a start. */
const patienceMs = 5_000;

export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

export function lockFolder(folder: string): () => void {
  // Answers may hold secrets, so no other user can read the folder.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // SQLite would only say that it is unable to open the file.
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  createDatabase(folder);
  const path = join(folder, lockFile);
  makePrivate(path);
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    // Deleting the lock file releases nothing: a server keeps its database open as long as it runs.
    if (isOpenElsewhere(join(folder, databaseFile))) throw new Error('the database is locked');
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked')) throw error;
    const pid = pidIn(folder);
    const holder = pid === '' ? '' : ` (process ${pid})`;
    throw new FolderInUseError(`${folder} is in use by another running Holdpoint${holder}`, { cause: error });
  }
  return () => lock.close();
}

/** Call it when the database has its tables. From then on a database without tables was lost. */
export function writePid(folder: string): void {
  const path = join(folder, pidFile);
  makePrivate(path);
  writeFileSync(path, String(process.pid));
}

/** Returns the id of the process that uses the folder, "" for an unknown process, and undefined if no process uses it. */
export function folderHolder(folder: string): string | undefined {
  const path = join(folder, lockFile);
  if (!existsSync(path)) return undefined;
  const lock = new DatabaseSync(path, { readOnly: true });
  try {
    // This read fails while another connection has an exclusive lock.
    lock.prepare('SELECT count(*) FROM sqlite_schema').get();
    return undefined;
  } catch (error) {
    if (!String(error).includes('locked')) throw error;
    return pidIn(folder);
  } finally {
    lock.close();
  }
}

function pidIn(folder: string): string {
  try {
    return readFileSync(join(folder, pidFile), 'utf8');
  } catch {
    return '';
  }
}

/**
 * Creates the database before the lock file. A folder with a lock file and with no database, or an empty one, has
 * therefore lost its database. Starting with a new one would hide the loss.
 */
function createDatabase(folder: string): void {
  const path = join(folder, databaseFile);
  const existing = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file));
  if (sizeOf(path) === 0) {
    refuseLost(folder);
    makePrivate(path);
    // Writes the first page.
    execOn(path, 'PRAGMA journal_mode = WAL');
  }
  // SQLite creates its files with the mode of the database, so only files that existed need this.
  for (const file of existing) makePrivate(file);
}

/** Throws if other files show that an empty database had content. Starting would hide the loss. */
export function refuseLost(folder: string): void {
  const loss = lossOf(folder);
  if (loss !== undefined)
    throw new Error(`${loss} Restore it from a backup. To start without the data, use an empty folder.`);
}

/**
 * Describes how the database was lost, if other files show that there was one. Call it for a database that is missing, empty
 * or without tables. The tables are in the write-ahead log until the first checkpoint, so a copy of the database without its
 * log has none.
 */
export function lossOf(folder: string): string | undefined {
  const path = join(folder, databaseFile);
  const isEmpty = sizeOf(path) === 0;
  const blobs = join(folder, 'blobs');
  const trace = [
    isEmpty && existsSync(join(folder, lockFile)) ? 'a lock file' : undefined,
    isEmpty && sizeOf(`${path}-wal`) > 0 ? 'its write-ahead log' : undefined,
    // A start writes this file after the tables.
    !isEmpty && sizeOf(join(folder, pidFile)) > 0 ? pidFile : undefined,
    existsSync(blobs) && readdirSync(blobs).some((name) => name !== 'unfinished') ? 'uploaded files' : undefined,
  ].find((each) => each !== undefined);
  if (trace === undefined) return undefined;
  const state = isEmpty ? (existsSync(path) ? 'is empty' : 'is missing') : 'has no tables';
  return `${databaseFile} ${state}, but ${trace} beside it shows that there was data.`;
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/**
 * Reports whether another connection, of any process, has the database open. Each connection holds a shared lock, which
 * prevents the exclusive one. Closing also copies a log that a crash left behind into the database.
 */
function isOpenElsewhere(path: string): boolean {
  try {
    execOn(path, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    return false;
  } catch (error) {
    if (!String(error).includes('locked')) throw error;
    return true;
  }
}

function execOn(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${patienceMs}; ${sql}`);
  } finally {
    db.close();
  }
}

/**
 * Checks the file without SQLite, which keeps the first page in memory. Open it before the first connection and close
 * it after the last: see makePrivate.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #start = Buffer.alloc(magic.length);

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'r');
  }

  /** Returns what has happened to the file, if anything. */
  fault(): string | undefined {
    const { ino, nlink } = fstatSync(this.#descriptor);
    if (nlink === 0) return 'the database file was deleted';
    if (!existsSync(this.#path) || statSync(this.#path).ino !== ino) return 'the database file was moved or replaced';
    // A read beyond the end of a file that was cut off leaves the bytes of the last look in the buffer.
    this.#start.fill(0);
    readSync(this.#descriptor, this.#start, 0, magic.length, 0);
    return this.#start.equals(magic) ? undefined : 'the database file was overwritten';
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const magic = Buffer.from('SQLite format 3\0');
