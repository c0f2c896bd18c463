/** Runs the command to its end, and returns its output and its exit code. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { adminKey } from './test-server.ts';

export interface Run {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** `meanwhile` is called with every piece of output. */
export function runCommand(
  command: string[],
  env: Record<string, string | undefined> = { HOLDPOINT_API_KEY: adminKey },
  meanwhile: (soFar: Run, kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<Run> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, HOLDPOINT_API_KEY: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const result: Run = { stdout: '', stderr: '', code: null, signal: null };
  const hear = (stream: 'stdout' | 'stderr') => (data: Buffer) => {
    result[stream] += data;
    meanwhile(result, (signal) => child.kill(signal));
  };
  child.stdout.on('data', hear('stdout'));
  child.stderr.on('data', hear('stderr'));
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ ...result, code, signal })));
}
