/** Starts the server of a story from its sources, on a free port, with data that is removed at the end. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

export const cli = fileURLToPath(new URL('./cli.ts', import.meta.resolve('holdpoint')));
export const newAdminKey = (): string => `admin-${randomUUID()}`;

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

export async function startServer(options: { adminKey: string; flags: readonly string[] }): Promise<RunningServer> {
  const data = mkdtempSync(join(tmpdir(), 'holdpoint-data-'));
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', data, '--no-demo', ...options.flags], {
    env: { ...process.env, HOLDPOINT_API_KEY: options.adminKey, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
      const ready = /^holdpoint ready (\S+)$/m.exec(printed)?.[1];
      if (ready) resolve(ready);
    });
    ended.then((code) => reject(new Error(`The server ended with ${code}: ${printed}`)));
  });
  print('server', `is ready at ${url}`);
  return { url, stop };
}

/** Prints lines of the story after the name of the person or program. */
export function print(name: string, text: string): void {
  const bold = styleText('bold', name.padStart(8));
  for (const line of text.split('\n')) process.stdout.write(`${bold}  ${line}\n`);
}
