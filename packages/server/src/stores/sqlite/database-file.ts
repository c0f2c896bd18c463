/**
 * Checks the database as a file: whether it exists, whether another process has it open, and whether it is still the
 * one that was opened.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, makePrivate } from './open-database.ts';

/** Holds the id of the process that opened the folder last. */
export const pidFile = 'holdpoint.pid';

/** Longest time that a backup or a check of the database may delay a start. */
const patienceMs = 5_000;

/**
 * Creates the database before the lock file. A folder with a lock file and with no database, or an empty one, has
 * therefore lost its database. Starting with a new one would hide the loss.
 */
export function createDatabase(folder: string): void {
  const path = join(folder, databaseFile);
  const beside = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file));
  if (sizeOf(path) === 0) {
    refuseLost(folder);
    makePrivate(path);
    // Writes the first page.
    execOn(path, 'PRAGMA journal_mode = WAL');
  }
  // SQLite creates its files with the mode of the database, so only files that existed need this.
  for (const file of beside) makePrivate(file);
}

/** Throws if something beside a database without content shows that it had some. Starting would hide the loss. */
export function refuseLost(folder: string): void {
  const loss = lossOf(folder);
  if (loss !== undefined)
    throw new Error(`${loss} Restore it from a backup. To start without the data, use an empty folder.`);
}

/**
 * Says how the database was lost, if something beside it shows that there was one. Call it for a database that is missing,
 * empty or without tables. The tables are in the write-ahead log until the first checkpoint, so a copy of the database
 * without its log has none.
 */
export function lossOf(folder: string): string | undefined {
  const path = join(folder, databaseFile);
  const isEmpty = sizeOf(path) === 0;
  const blobs = join(folder, 'blobs');
  const trace = [
    isEmpty && existsSync(join(folder, 'holdpoint.lock')) ? 'a lock file' : undefined,
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
export function isOpenElsewhere(path: string): boolean {
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
 * it after the last: see make-private.ts.
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
