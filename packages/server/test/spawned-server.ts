/** The real server as a process of its own, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import type { DataPlace } from './data-place.ts';
import { adminKey } from './test-server.ts';

export const cli = fileURLToPath(new URL('../build/cli.js', import.meta.url));

/** Starts the server on its data, on a free port, without a shell. */
export const serveCommand = ({ flags }: Pick<DataPlace, 'flags'>, args: readonly string[] = []): string[] => [
  process.execPath,
  // The same flags as in `npm start`.
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  cli,
  'serve',
  ...['--port', '0'],
  ...flags,
  ...['--log-level', 'error'],
  ...args,
];

export interface SpawnedServer {
  process: ChildProcess;
  url: string;
  admin: Client;
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface SpawnOptions {
  place: Pick<DataPlace, 'flags'>;
  args?: readonly string[];
  env?: Record<string, string | undefined>;
  /** A command that runs the server, such as a shell that sets a limit. */
  wrap?: (command: string[]) => string[];
}

/** Resolves when the server is ready. Rejects with its output if it ends before that. */
export async function spawnServer({
  place,
  args = [],
  env = {},
  wrap = (c) => c,
}: SpawnOptions): Promise<SpawnedServer> {
  const command = wrap(serveCommand(place, args));
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { ...process.env, HOLDPOINT_API_KEY: adminKey, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      printed += data;
      const ready = /^holdpoint ready (\S+)$/m.exec(printed);
      if (ready?.[1]) resolve(ready[1]);
    });
    child.stderr.on('data', (data) => {
      printed += data;
    });
    ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
  return {
    process: child,
    url,
    admin: new Client(url, adminKey),
    kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
