/** A folder for each version of a framework, as somebody has it who installed the published adapters and this framework alone. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { published } from '../../../../scripts/pack/published.ts';
import { writePackage } from '../../../../scripts/pack.ts';
import { installed, locate, type PeerVersion } from './peer-versions.ts';

/** The packages that the programs import, and the dependencies of the published packages. */
const shared = ['zod', 'typebox', 're2js', '@types/node'];

export async function openPeerStage() {
  const root = mkdtempSync(join(tmpdir(), 'holdpoint-peers-'));
  const built = join(root, 'built');
  for (const each of published())
    if (['protocol', 'client', 'adapters'].includes(each.folder)) await writePackage(each, join(built, each.folder));
  // Above the folders of all versions.
  for (const name of shared) link(root, name, installed(name));
  for (const folder of ['protocol', 'client'])
    cpSync(join(built, folder), join(root, 'node_modules/@holdpoint', folder), { recursive: true });

  const folders = new Map<PeerVersion, string>();
  return {
    root,
    folderFor(peer: PeerVersion): string {
      const made = folders.get(peer);
      if (made !== undefined) return made;
      const folder = join(root, peer.name.replace('/', '-'), peer.version);
      const adapters = join(folder, 'node_modules/@holdpoint/adapters');
      cpSync(join(built, 'adapters'), adapters, { recursive: true });
      nameApart(adapters, peer);
      link(folder, peer.name, peer.folder);
      for (const [name, at] of companions(peer)) link(folder, name, at);
      folders.set(peer, folder);
      return folder;
    },
  };
}

function link(folder: string, name: string, to: string): void {
  const at = join(folder, 'node_modules', name);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(to, at);
}

/** The packages that a program needs besides the framework. */
function companions({ name, version, folder, isCurrent }: PeerVersion): [string, string][] {
  if (name === 'ai') {
    const provider = '@ai-sdk/openai-compatible';
    // The provider for ai 5 has the version 1.
    const major = Number(version.split('.')[0]) - 4;
    return [[provider, installed(isCurrent ? provider : `@peers/openai-compatible-${major}`)]];
  }
  if (name === '@ag-ui/client') return [['@ag-ui/core', locate('@ag-ui/core', folder)]];
  return [];
}

/** Otherwise TypeScript takes copies of one package in one version for the same, and looks at one of them alone. */
function nameApart(folder: string, { version }: PeerVersion): void {
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const build = version.replaceAll('.', '-');
  writeFileSync(path, JSON.stringify({ ...manifest, version: `${manifest.version}-${build}` }));
}
