/** Runs the command as a process, with given input and recorded output. */
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { cli } from '../spawned-server.ts';
import { adminKey } from '../test-server.ts';

/** A process may start slowly on a busy machine. */
export const patience = { timeout: 50_000 };

// A test starts several processes one after another.
vi.setConfig({ testTimeout: 300_000 });

export interface Finished {
  stdout: string;
  stderr: string;
  code: number | null;
}

export interface RunningCommand {
  /** The output so far. */
  printed: { stdout: string; stderr: string };
  finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the readers of its output. */
  leave(): void;
}

export interface CommandOptions {
  /** The whole input. Then standard input ends. */
  stdin?: string;
  env?: Record<string, string | undefined>;
}

export function startCommand(url: string, args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { stdin = '', env = {} } = options;
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: adminKey, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (data) => {
      printed[stream] += data;
    });
  // The process may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const finished = new Promise<Finished>((resolve) => child.once('close', (code) => resolve({ ...printed, code })));
  return { printed, finished, kill: (signal) => child.kill(signal), leave: () => void child.stdout.destroy() };
}

export const commandsFor =
  (server: { url: string }) =>
  (args: readonly string[], options?: CommandOptions): Promise<Finished> =>
    startCommand(server.url, args, options).finished;

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
