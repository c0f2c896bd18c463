/** Makes a file private to its owner, whatever the umask is and whoever created it. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

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
