/** A program of a story as a process of its own: what it prints is shown as it comes, and kept. */
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline';
import { commandsFolder } from './commands-folder.ts';
import { tell } from './tell.ts';

export interface ProgramOptions {
  folder: string;
  env: Record<string, string>;
  /** In front of each line that it prints. */
  name?: string;
}

export interface Program {
  /** What it printed, when it has ended as it should. */
  output(): Promise<string>;
  /** The first line that it printed like this, once it has. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** At once, as a power cut would. */
  kill(): Promise<void>;
}

export function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  { folder, env, name = 'agent' }: ProgramOptions,
): Program {
  const path = [commandsFolder(), process.env.PATH].join(delimiter);
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what a script has started ends with it.
    detached: true,
  });
  let wasKilled = false;
  let out = '';
  let complaints = '';
  const listeners = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    out += `${line}\n`;
    tell(name, line);
    for (const listener of listeners) listener();
  });
  child.stderr.on('data', (data) => {
    complaints += data;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (wasKilled || code === 0) return resolve();
      reject(new Error(`${name} ended with ${code}: ${complaints.trim() || out}`));
    });
  });
  return {
    async output() {
      await ended;
      return out.trimEnd();
    },
    printed(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const look = () => {
        const found = pattern.exec(out);
        if (!found) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
      ended.then(() => reject(new Error(`${name} ended and has not printed ${pattern}.`)), reject);
      return promise;
    },
    async kill() {
      wasKilled = true;
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended.catch(() => {});
    },
  };
}
