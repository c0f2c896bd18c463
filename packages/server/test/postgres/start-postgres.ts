/** A real PostgreSQL server, in a folder and on a port of its own, that goes with the process that started it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyBinaries, type FindBinaries } from './binaries.ts';
import { freePort } from './free-port.ts';
import { startReaper } from './reaper.ts';
import { serverOwner } from './server-owner.ts';

export interface Postgres extends AsyncDisposable {
  /** URL of a database that is empty at first. A restart of the server keeps the URL. */
  url: string;
  /** In order: sessions are cut off, everything is written. */
  stop(): Promise<void>;
  /** As a crash: nothing is written any more, and the next start recovers. */
  kill(): Promise<void>;
  /** After a stop or a kill, with the data that was committed. */
  start(): Promise<void>;
  /** Ends it, running or not, and removes its folder. */
  discard(): Promise<void>;
}

export interface PostgresOptions {
  /** Off, commits are quicker and survive everything but a loss of power. */
  fsync?: boolean;
  findBinaries?: FindBinaries;
}

export async function startPostgres({
  fsync = true,
  findBinaries = anyBinaries,
}: PostgresOptions = {}): Promise<Postgres> {
  const owner = serverOwner();
  // The folder for temporary files that root has may be closed to others.
  const folder = mkdtempSync(join(owner ? '/tmp' : tmpdir(), 'holdpoint-postgres-'));
  const reaper = startReaper(folder);
  const data = join(folder, 'data');
  const asOwner = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  let running: { process: ChildProcess; ended: Promise<void> } | undefined;

  async function run(port: number): Promise<void> {
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings({ port, fsync })], {
      ...asOwner,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    reaper.watch(child.pid);
    const ended = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('close', () => resolve());
    }).then(() => {
      running = undefined;
      reaper.watch(undefined);
    });
    running = { process: child, ended };
    await ready(child, ended);
    child.unref();
    (child.stderr as Socket).unref();
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    running?.process.ref();
    running?.process.kill(signal);
    await running?.ended;
  }

  const discard = async () => {
    await reaper.reap();
    await running?.ended;
  };

  let bin = '';
  let port = 0;
  try {
    bin = findBinaries({ scratch: folder, owner });
    if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder]);
    await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...layout], asOwner);
    await until(/could not bind|Address already in use/i, async () => {
      port = await freePort();
      await run(port);
    });
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    // The sessions of a server that was killed take a moment to notice it.
    start: () => until(/pre-existing shared memory block|lock file .* already exists/, () => run(port)),
    discard,
    [Symbol.asyncDispose]: discard,
  };
}

const layout = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];

const settings = ({ port, fsync }: { port: number; fsync: boolean }): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Resolves when it takes connections; rejects with what it printed if it ends before. */
function ready(child: ChildProcess, ended: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (text) => {
      printed = (printed + text).slice(-10_000);
      if (printed.includes('database system is ready to accept connections')) resolve();
    });
    child.once('error', (error) => reject(error));
    void ended.then(() => reject(new Error(`PostgreSQL ended: ${printed}`)));
  });
}

/** Tries again as long as it fails for a reason that passes. */
async function until(passing: RegExp, attempt: () => Promise<void>): Promise<void> {
  for (let left = 100; ; left--)
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0 || !passing.test(`${error}`)) throw error;
    }
}
