/** `npm run pack`: writes each published package to `build/packages`, as a folder and as a tarball. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeDeclarations } from './pack/declarations.ts';
import { manifestOf } from './pack/manifest.ts';
import { copyFiles, type Published, published } from './pack/published.ts';

/** Returns the path of each tarball by package name. */
export async function packAll(place: string, only?: readonly string[]): Promise<Map<string, string>> {
  rmSync(place, { recursive: true, force: true });
  const packages = published().filter(({ folder }) => only?.includes(folder) ?? true);
  for (const each of packages) await writePackage(each, `${place}/${each.folder}`);
  const folders = packages.map(({ folder }) => `./${folder}`);
  const listed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...folders], {
    cwd: place,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const tarballs = JSON.parse(listed) as { name: string; filename: string }[];
  return new Map(tarballs.map(({ name, filename }) => [name, resolve(place, filename)]));
}

/** Writes the published files of one package to its own folder. */
export async function writePackage(each: Published, folder: string): Promise<void> {
  mkdirSync(`${folder}/dist`, { recursive: true });
  const byScripts = await each.buildScripts(`${folder}/dist`);
  const byTypes = writeDeclarations(each, `${folder}/dist`);
  const manifest = manifestOf(each, new Set([...byScripts, ...byTypes]));
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFiles(each, folder);
}

if (import.meta.main)
  for (const [name, path] of await packAll('build/packages')) process.stdout.write(`${name} ${path}\n`);
