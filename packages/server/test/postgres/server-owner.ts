/** The user of the database server. PostgreSQL refuses to run as root, so root runs it as a user with fewer rights. */
import { execFileSync } from 'node:child_process';

export interface ServerOwner {
  uid: number;
  gid: number;
}

/** Absent where the tests are run by an ordinary user, who can own the server himself. */
export function serverOwner(): ServerOwner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => idOf(flag, name));
    if (uid && gid) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" to run it');
}

function idOf(flag: string, name: string): number | undefined {
  try {
    return Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined;
  }
}
