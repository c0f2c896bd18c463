/** The versions of each framework that are installed for the tests: the current one, and older ones as `@peers/…`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

export const ranges = manifest.peerDependencies;

export interface PeerVersion {
  /** Of the framework, as a program imports it. */
  name: string;
  version: string;
  folder: string;
  isCurrent: boolean;
}

/** The folder of an installed package, as a file in `from` would find it. */
export function locate(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (dirname(from) === from) throw new Error(`${name} is not installed.`);
  return locate(name, dirname(from));
}

export const installed = (name: string): string => locate(name, own);

export const versions: PeerVersion[] = Object.entries(manifest.devDependencies).flatMap(([key, wanted]) => {
  const [, name, version] = /^npm:(.+)@(.+)$/.exec(wanted) ?? ['', key, wanted];
  if (name === undefined || version === undefined || !(name in ranges)) return [];
  return [{ name, version, folder: installed(key), isCurrent: name === key }];
});
