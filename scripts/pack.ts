/** `npm run pack`: what is published, each package in a folder of its own and as a tarball, in `build/packages`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeDeclarations } from './pack/declarations.ts';
import { manifestOf } from './pack/manifest.ts';
import { copyFiles, type Published, published } from './pack/published.ts';

/** Gives the path of each tarball, by the name of its package. */
export async function packAll(place: string, only?: readonly string[]): Promise<Map<string, string>> {
  rmSync(place, { recursive: true, force: true });
  const packages = published().filter(({ folder }) => only?.includes(folder) ?? true);
  for (const each of packages) await writePackage(each, `${place}/${each.folder}`);
  const folders = packages.map(({ folder }) => `./${folder}`);
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...folders], {
    cwd: place,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const tarballs = JSON.parse(told) as { name: string; filename: string }[];
  return new Map(tarballs.map(({ name, filename }) => [name, resolve(place, filename)]));
}

/** What is published of one package, in a folder of its own. */
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
