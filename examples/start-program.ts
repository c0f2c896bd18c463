/** Runs a program of a story as its own process. Shows and keeps its output. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { cli, print } from './start-server.ts';

export interface ProgramOptions {
  folder: string;
  env: Record<string, string>;
  /** In front of each line that it prints. */
  name?: string;
}

export interface Program {
  /** Its output, once it has exited with 0. */
  output(): Promise<string>;
  /** The first output that matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Kills it at once, like a power cut. */
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
    // Its own process group, so that child processes end with it.
    detached: true,
  });
  let wasKilled = false;
  let out = '';
  let complaints = '';
  const listeners = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    out += `${line}\n`;
    print(name, line);
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
      ended.then(() => reject(new Error(`${name} ended without printing ${pattern}.`)), reject);
      return promise;
    },
    async kill() {
      wasKilled = true;
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended.catch(() => {});
    },
  };
}

let folder: string | undefined;

function commandsFolder(): string {
  if (folder) return folder;
  const made = mkdtempSync(join(tmpdir(), 'holdpoint-commands-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  symlinkSync(process.execPath, join(made, 'node'));
  const command = join(made, 'holdpoint');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(command, 0o755);
  folder = made;
  return made;
}
