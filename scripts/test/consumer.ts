/** A user's empty folder, into which the tarballs are installed. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Without the variables of our npm scripts, because npx would take itself for one of them. Keeps the address of the
 * registry, which npm may not find when another Node runs it.
 */
const isOurs = (name: string): boolean =>
  /^(npm_|NODE_OPTIONS$|VITEST)/i.test(name) && !/^npm_config_(globalconfig|userconfig|registry|cafile)$/i.test(name);
export const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));

export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'holdpoint-consumer-'));
  readonly #children: { pid?: number | undefined }[] = [];

  constructor() {
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true }));
    // Package folders with the same names as ours.
    for (const name of ['migrations/sqlite', 'dist', 'src']) mkdirSync(join(this.folder, name), { recursive: true });
    this.write('migrations/sqlite/0001-theirs.sql', 'CREATE TABLE theirs (id INTEGER);');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Returns the output; rejects unless the command exits with 0. */
  async run(command: string, args: readonly string[], more: Record<string, string> = {}): Promise<string> {
    const { stdout } = await run(command, args, { cwd: this.folder, env: { ...env, ...more } });
    return stdout;
  }

  install(tarballs: readonly string[]): Promise<string> {
    return this.run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs]);
  }

  /** Runs in the background, in its own process group, until the end of the test. */
  start(command: string, args: readonly string[], more: Record<string, string> = {}) {
    const options = { cwd: this.folder, env: { ...env, ...more }, detached: true } as const;
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    return { printed: () => printed, kill: (signal: NodeJS.Signals) => child.kill(signal) };
  }

  remove(): void {
    for (const { pid } of this.#children)
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
