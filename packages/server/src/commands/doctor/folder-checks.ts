/**
 * Checks the data folder: whether it can be used, who may read it, which process has it open, whether its database is
 * whole, and how much space is left.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { lossOf } from '../../stores/sqlite/database-file.ts';
import { folderHolder } from '../../stores/sqlite/lock-folder.ts';
import { hasTables } from '../../stores/sqlite/migrate.ts';
import { databaseFile } from '../../stores/sqlite/open-database.ts';
import { type Check, fail, ok, warn } from './check.ts';

const megabyte = 1024 * 1024;
const littleRoom = 1024 * megabyte;
const noRoom = 100 * megabyte;

export function folderChecks(folder: string): Check[] {
  if (!existsSync(folder)) return [absent(folder), room(nearest(folder))];
  if (!statSync(folder).isDirectory()) return [fail('data', `${folder} is no folder`, 'name another with --data')];
  if (!isWritable(folder))
    return [
      fail(
        'data',
        `${folder} may not be written to by this user`,
        'change its owner or its mode, or name another with --data',
      ),
    ];
  return [permissions(folder), holder(folder), ...wholeness(folder), room(folder)];
}

function absent(folder: string): Check {
  const parent = nearest(folder);
  if (isWritable(parent)) return ok('data', `${folder} is made at the first start`);
  return fail('data', `${folder} cannot be made: ${parent} may not be written to`, 'name another with --data');
}

function permissions(folder: string): Check {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o077) === 0 || process.platform === 'win32') return ok('data', `${folder}, for its owner alone`);
  const found = `${folder} is open to other users of this machine (mode ${mode.toString(8)})`;
  return warn('data', found, `chmod 700 ${folder}`);
}

function holder(folder: string): Check {
  const pid = folderHolder(folder);
  return ok(
    'lock',
    pid === undefined ? 'nobody has it open' : `in use by a running server${pid === '' ? '' : `, process ${pid}`}`,
  );
}

/** Reads every page of the database. */
function wholeness(folder: string): Check[] {
  const path = join(folder, databaseFile);
  const isEmpty = !existsSync(path) || statSync(path).size === 0;
  const found = isEmpty ? undefined : firstFault(path);
  const loss = isEmpty || found === noTables ? lossOf(folder) : undefined;
  if (loss !== undefined) return [fail('file', loss.replace(/\.$/, ''), 'restore it from a backup')];
  if (isEmpty || found === noTables) return [];
  if (found === undefined) return [ok('file', `${databaseFile} is whole`)];
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
  if (bytes < noRoom) return fail('disk', found, 'make room: without it nothing can be saved');
  return bytes < littleRoom ? warn('disk', found, 'make room soon') : ok('disk', found);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder, or the first of those above it that is there. */
function nearest(folder: string): string {
  const path = resolve(folder);
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}
