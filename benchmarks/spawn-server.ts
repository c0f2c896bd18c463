/** Starts the measured processes: the built server, and the ceiling, which is bundled the same way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { BenchStore, Place } from './bench-store.ts';
import { benchKey } from './request-bytes.ts';
import type { StoredIds } from './seed-plan.ts';

export const builtServer = fileURLToPath(new URL('../packages/server/dist/cli.js', import.meta.url));

export interface Spawned {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** The same flags as in `npm start`, also for the ceiling. */
const nodeFlags = ['--max-semi-space-size=8', '--no-parallel-scavenge'];
const nodeEnvironment = { MALLOC_ARENA_MAX: '1' };

export const serveArguments = ({ flags }: Pick<Place, 'flags'>): string[] => [
  ...nodeFlags,
  builtServer,
  'serve',
  '--port',
  '0',
  '--log-level',
  'error',
  ...flags,
];

export const spawnHoldpoint = (place: Place, args: readonly string[] = []): Promise<Spawned> =>
  spawnReady([process.execPath, ...serveArguments(place), ...args]);

export async function spawnCeiling(folder: string): Promise<Spawned> {
  const input = fileURLToPath(new URL('./ceiling-server.ts', import.meta.url));
  const bundle = await rolldown({ input: { ceiling: input }, platform: 'node', logLevel: 'warn' });
  await bundle.write({ dir: folder, format: 'esm', sourcemap: true, entryFileNames: '[name].mjs' });
  await bundle.close();
  return spawnReady([process.execPath, ...nodeFlags, join(folder, 'ceiling.mjs')]);
}

/** Stops every process when the benchmark fails. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function spawnReady([command = '', ...args]: string[]): Promise<Spawned> {
  const child = spawn(command, args, {
    // The place decides where the server keeps its data, not the environment of the machine.
    env: { ...process.env, ...nodeEnvironment, HOLDPOINT_API_KEY: benchKey, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const port = await readyPort(child);
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

function readyPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (data) => {
      printed += data;
      const ready = /ready http:\/\/\S+:(\d+)\n/.exec(printed);
      if (ready) resolve(Number(ready[1]));
    });
    child.once('exit', (code) => reject(new Error(`a server ended with ${code} before it was ready: ${printed}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

export interface Subject extends StoredIds {
  stored: number;
  place: Place;
  server: Spawned;
  close(): Promise<void>;
}

export async function openSubject(store: BenchStore, stored: number): Promise<Subject> {
  const place = await store.seededPlace(stored);
  const { threadIds, interactionIds, pendingIds } = place;
  const server = await spawnHoldpoint(place);
  const close = async () => {
    await server.stop();
    await place.remove();
  };
  return { stored, place, server, threadIds, interactionIds, pendingIds, close };
}
