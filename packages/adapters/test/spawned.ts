/** The real server, one for the tests of a file, and agents that can be killed, which do not outlive their test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach } from 'vitest';

export const adminKey = 'test-admin-key';
const cli = fileURLToPath(new URL('../../server/build/cli.js', import.meta.url));

export interface Spawned {
  kill(): Promise<void>;
  /** What it printed, once it has ended by itself; fails with what it complained of if that was no success. */
  output(): Promise<string>;
}

export function processesOfATest() {
  const running = new Set<Spawned>();
  const folders: string[] = [];
  let server: { spawned: Spawned; url: Promise<string> } | undefined;
  afterEach(async () => {
    for (const each of running) await each.kill();
    running.clear();
  });
  afterAll(async () => {
    await server?.spawned.kill();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function spawnNode(args: readonly string[], env: Record<string, string>): Spawned & { process: ChildProcess } {
    const process_ = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { out: '', error: '' };
    process_.stdout.on('data', (data) => {
      printed.out += data;
    });
    process_.stderr.on('data', (data) => {
      printed.error += data;
    });
    const ended = new Promise<number | null>((resolve) => process_.once('close', resolve));
    return {
      process: process_,
      async kill() {
        process_.kill('SIGKILL');
        await ended;
      },
      async output() {
        const code = await ended;
        if (code !== 0) throw new Error(`${args.at(-1)} ended with ${code}: ${printed.error || printed.out}`);
        return printed.out;
      },
    };
  }

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-adapters-'));
    folders.push(folder);
    return folder;
  }

  return {
    newFolder,
    /** Killed after the test, if it runs so long. */
    start(args: readonly string[], env: Record<string, string>): Spawned {
      const spawned = spawnNode(args, env);
      running.add(spawned);
      return spawned;
    },
    /** The address of a real server, on a folder and a port of its own. */
    serverUrl(): Promise<string> {
      server ??= startServer();
      return server.url;
    },
  };

  function startServer() {
    const args = [cli, 'serve', '--port', '0', '--data', newFolder(), '--log-level', 'error'];
    const spawned = spawnNode(args, { HOLDPOINT_API_KEY: adminKey });
    const url = new Promise<string>((resolve, reject) => {
      let out = '';
      spawned.process.stdout?.on('data', (data) => {
        out += data;
        const ready = /^holdpoint ready (\S+)$/m.exec(out);
        if (ready?.[1]) resolve(ready[1]);
      });
      spawned.output().then(() => reject(new Error('The server ended.')), reject);
    });
    return { spawned, url };
  }
}
