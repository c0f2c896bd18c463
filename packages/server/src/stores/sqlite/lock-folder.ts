/** Keeps a data folder to one process. The lock is the kernel's, so a process that dies lets go of it. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

export function lockFolder(folder: string): () => void {
  // Answers may hold secrets, so a folder that we make is its owner's alone.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // SQLite would only say that it is unable to open the file.
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const pidFile = join(folder, 'holdpoint.pid');
  const lock = new DatabaseSync(join(folder, 'holdpoint.lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    writeFileSync(pidFile, String(process.pid));
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked')) throw error;
    throw new FolderInUseError(`${folder} is in use by another running Holdpoint${holder(pidFile)}`, { cause: error });
  }
  return () => lock.close();
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
    return pidIn(join(folder, 'holdpoint.pid'));
  } finally {
    lock.close();
  }
}

function holder(pidFile: string): string {
  const pid = pidIn(pidFile);
  return pid === '' ? '' : ` (process ${pid})`;
}

function pidIn(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8');
  } catch {
    return '';
  }
}
