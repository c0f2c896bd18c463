/** The command as a process of its own against a server, with what it is typed and what it prints. */
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { cli } from '../spawned-server.ts';
import { adminKey } from '../test-server.ts';

/** A process takes as long to start as the machine lets it. */
export const patience = { timeout: 50_000 };

// And a test starts several of them, one after the other.
vi.setConfig({ testTimeout: 300_000 });

export interface Finished {
  stdout: string;
  stderr: string;
  code: number | null;
}

export interface RunningCommand {
  /** So far. */
  printed: { stdout: string; stderr: string };
  finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Nobody reads what it prints from now on. */
  leave(): void;
}

export interface CommandOptions {
  /** All of it, and then the end. */
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
  // One that has not read all of it may be gone already.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const finished = new Promise<Finished>((resolve) => child.once('close', (code) => resolve({ ...printed, code })));
  return { printed, finished, kill: (signal) => child.kill(signal), leave: () => void child.stdout.destroy() };
}

export const commandsFor =
  (server: { url: string }) =>
  (args: readonly string[], options?: CommandOptions): Promise<Finished> =>
    startCommand(server.url, args, options).finished;

/** One that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
