/**
 * Ends a database server and removes its folder when the process that started it is gone, however it went: the reaper
 * reads a pipe that the kernel closes with that process.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export interface Reaper {
  /** The process to end; undefined while none runs. */
  watch(pid: number | undefined): void;
  /** Has it do its work now. */
  reap(): Promise<void>;
}

/** The lock file of the server goes last, when none of its processes is left. */
const script = `
pid=
while read -r running; do pid=$running; done
if [ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null; then
  for try in $(seq 100); do [ -e "$1/data/postmaster.pid" ] || break; sleep 0.1; done
  if [ -e "$1/data/postmaster.pid" ]; then kill -KILL "$pid"; fi
fi
for try in $(seq 20); do rm -rf "$1" && break; sleep 0.1; done
`;

export function startReaper(folder: string): Reaper {
  // A session of its own, which the signals of a terminal do not reach.
  const child = spawn('sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // A process that forgets to reap can still end, which reaps.
  child.unref();
  (child.stdin as Socket).unref();
  return {
    watch(pid) {
      if (child.stdin.writable) child.stdin.write(`${pid ?? ''}\n`);
    },
    reap() {
      child.ref();
      child.stdin.end();
      return ended;
    },
  };
}
