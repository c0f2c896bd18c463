/** A folder with the commands that a reader has after `npm ci`: Node and `holdpoint`, from its sources. */
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli } from './start-server.ts';

let folder: string | undefined;

export function commandsFolder(): string {
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
