/** Keeps a data folder to one process. The lock is the kernel's, so a process that dies lets go of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const pidFile = join(folder, 'holdpoint.pid');
  const lock = new DatabaseSync(join(folder, 'holdpoint.lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked')) throw error;
    throw new FolderInUseError(`${folder} is in use by another running Holdpoint${holder(pidFile)}`, { cause: error });
  }
  writeFileSync(pidFile, String(process.pid));
  return () => lock.close();
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8')})`;
  } catch {
    return '';
  }
}
