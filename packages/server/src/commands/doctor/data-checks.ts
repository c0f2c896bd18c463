/** Checks the data folder or the database. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { folderHolder, lossOf } from '../../stores/sqlite/data-folder.ts';
import { databaseFile, hasTables } from '../../stores/sqlite/open-database.ts';

/** A result, with a remedy if it is not ok. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  found: string;
  todo?: string;
}

export const ok = (name: string, found: string): Check => ({ name, status: 'ok', found });
export const warn = (name: string, found: string, todo: string): Check => ({ name, status: 'warn', found, todo });
export const fail = (name: string, found: string, todo: string): Check => ({ name, status: 'fail', found, todo });

const patienceMs = 5_000;
const oldest = 14;

/** Checks the database. No message contains its password. */
export async function databaseCheck(url: string): Promise<Check> {
  const { host, pathname } = new URL(url);
  const place = `${host}${pathname}`;
  const { default: pg } = await import('pg');
  const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
  const client = new pg.Client({ connectionString: url, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    const asked = `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isReplica"`;
    const { rows } = await client.query<{ version: string; isReplica: boolean }>(asked);
    const { version = '', isReplica = false } = rows[0] ?? {};
    if (Number.parseInt(version, 10) < oldest)
      return fail('database', `${place} is PostgreSQL ${version}`, `use version ${oldest} or later`);
    if (isReplica) return fail('database', `${place} is a read-only replica`, 'use the primary');
    return ok('database', `${place}, PostgreSQL ${version}`);
  } catch (error) {
    const why = error instanceof AggregateError ? error.errors[0] : error;
    const found = `${place} cannot be used: ${(why as Error).message}`;
    return fail('database', found, 'check DATABASE_URL and whether PostgreSQL runs');
  } finally {
    await client.end().catch(() => {});
  }
}

const megabyte = 1024 * 1024;
const littleRoom = 1024 * megabyte;
const noRoom = 100 * megabyte;

/**
 * Checks that the data folder is usable and private, whether a process has it open, that its database is intact, and
 * the free space.
 */
export function folderChecks(folder: string): Check[] {
  if (!existsSync(folder)) return [absent(folder), room(nearest(folder))];
  if (!statSync(folder).isDirectory()) return [fail('data', `${folder} is not a folder`, 'choose another with --data')];
  const todo = 'change its owner or mode, or choose another with --data';
  if (!isWritable(folder)) return [fail('data', `${folder} is not writable for this user`, todo)];
  return [permissions(folder), holder(folder), ...wholeness(folder), room(folder)];
}

function absent(folder: string): Check {
  const parent = nearest(folder);
  if (isWritable(parent)) return ok('data', `${folder} will be created at the first start`);
  return fail('data', `${folder} cannot be created: ${parent} is not writable`, 'choose another with --data');
}

function permissions(folder: string): Check {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o077) === 0 || process.platform === 'win32') return ok('data', `${folder}, readable only by its owner`);
  const found = `${folder} is readable by other users of this machine (mode ${mode.toString(8)})`;
  return warn('data', found, `chmod 700 ${folder}`);
}

function holder(folder: string): Check {
  const pid = folderHolder(folder);
  if (pid === undefined) return ok('lock', 'not in use');
  return ok('lock', `in use by a running server${pid === '' ? '' : `, process ${pid}`}`);
}

/** Reads every page of the database. */
function wholeness(folder: string): Check[] {
  const path = join(folder, databaseFile);
  const isEmpty = !existsSync(path) || statSync(path).size === 0;
  const found = isEmpty ? undefined : firstFault(path);
  const loss = isEmpty || found === noTables ? lossOf(folder) : undefined;
  if (loss !== undefined) return [fail('file', loss.replace(/\.$/, ''), 'restore it from a backup')];
  if (isEmpty || found === noTables) return [];
  if (found === undefined) return [ok('file', `${databaseFile} is intact`)];
  const todo = 'stop the server, keep a copy of the folder, and restore a backup';
  return [fail('file', `${databaseFile} is damaged: ${found}`, todo)];
}

const noTables = 'it has no tables';

function firstFault(path: string): string | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = openToRead(path);
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() ?? {};
    if (found !== 'ok') return String(found);
    return hasTables(db) ? undefined : noTables;
  } catch (error) {
    return (error as Error).message;
  } finally {
    db?.close();
  }
}

/** If no process is writing, `immutable` keeps SQLite from creating files beside the database. */
function openToRead(path: string): DatabaseSync {
  const log = `${path}-wal`;
  const hasLog = existsSync(log) && statSync(log).size > 0;
  const isWritten = hasLog || folderHolder(dirname(path)) !== undefined;
  try {
    return new DatabaseSync(new URL(`${pathToFileURL(path)}${isWritten ? '' : '?immutable=1'}`), { readOnly: true });
  } catch (error) {
    // Node before 22.15 does not accept a URL.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_ARG_TYPE') throw error;
    return new DatabaseSync(path, { readOnly: true });
  }
}

function room(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder);
  const bytes = bavail * bsize;
  const found = `${bytes < littleRoom ? `${Math.floor(bytes / megabyte)} MB` : `${Math.floor(bytes / littleRoom)} GB`} free`;
  if (bytes < noRoom) return fail('disk', found, 'free some space: without it the server cannot save anything');
  return bytes < littleRoom ? warn('disk', found, 'free some space soon') : ok('disk', found);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder, or its nearest parent that exists. */
function nearest(folder: string): string {
  const path = resolve(folder);
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}
