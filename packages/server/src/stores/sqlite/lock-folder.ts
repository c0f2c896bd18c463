/** Keeps a data folder to one process. The lock is the kernel's, so a process that dies lets go of it. */
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8')})`;
  } catch {
    return '';
  }
}
