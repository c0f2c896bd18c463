/** The published packages and their builds. Other folders in `packages` are part of one of these. */
import { cpSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import { buildConsole } from '../build-console.ts';
import { buildWidget } from '../build-widget.ts';
import { bundle, serverEntries } from '../bundle.ts';
import { squeezeRules } from '../squeeze-rules.ts';

export interface Manifest {
  name: string;
  version: string;
  description?: string;
  private?: boolean;
  engines?: Record<string, string>;
  sideEffects?: boolean | string[];
  exports?: Record<string, string>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  customElements?: string;
}

export interface Published {
  /** Folder in `packages`. */
  folder: string;
  manifest: Manifest;
  /** By exported path: the source without `src/` and file extension. */
  entries: Record<string, string>;
  /** The command and its source. */
  bin?: Record<string, string>;
  /** Published files besides `dist`. */
  files?: readonly string[];
  /** Writes the scripts and returns the names of the packages that they import. */
  buildScripts(dist: string): Promise<Set<string>>;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8')) as Manifest;

const isBare = (id: string): boolean => /^[^./]/.test(id);

function library(folder: string, more: { bin?: Record<string, string> } = {}): Published {
  const manifest = readManifest(folder);
  const entries = entriesOf(manifest);
  const names = [...Object.values(entries), ...Object.values(more.bin ?? {})];
  return {
    ...{ folder, manifest, entries, ...more },
    // One script for each source: bundlers drop whole unused files, but cannot know that creating a schema has no effect.
    buildScripts: (dir) =>
      bundle(
        { input: inputOf(folder, names), platform: 'neutral', external: isBare },
        { dir, preserveModules: true, preserveModulesRoot: resolve(`packages/${folder}/src`) },
      ),
  };
}

/** One script with everything but React, so that a page can load it directly. */
function widget(): Published {
  const folder = 'widget';
  const manifest = readManifest(folder);
  const { '.': index = '', './react': react = '' } = entriesOf(manifest);
  const input = inputOf(folder, [index, react]);
  const tsconfig = `packages/${folder}/tsconfig.json`;
  return {
    ...{ folder, manifest, entries: { '.': index, './react': react }, files: ['custom-elements.json'] },
    buildScripts: (dir) =>
      bundle(
        { input, platform: 'browser', external: /^react$/, plugins: [squeezeRules], tsconfig },
        { dir, minify: true },
      ),
  };
}

/** The command is one complete bundle. The library imports the other packages, because `instanceof` fails for bundled copies. */
function server(): Published {
  const folder = 'server';
  const source = `packages/${folder}/src`;
  const shared = /^@holdpoint\/(agents|client|protocol)$/;
  return {
    ...{ folder, manifest: readManifest(folder), entries: { '.': 'index' }, bin: { holdpoint: 'cli' } },
    files: ['migrations'],
    async buildScripts(dir) {
      const ofCommand = await bundle({ input: serverEntries }, { dir });
      const chunkFileNames = 'in-process-[name]-[hash].js';
      const input = { index: `${source}/index.ts`, embed: `${source}/in-process/embed.ts` };
      const plugins = [packedInPlaceOf('in-process/load-embed')];
      const ofModule = await bundle({ input, plugins, external: shared }, { dir, chunkFileNames });
      await buildWidget(`${dir}/widget`);
      await buildConsole(`${dir}/console`);
      return new Set([...ofCommand, ...ofModule]);
    },
  };
}

/** Replaces `NAME.ts` by `NAME.packed.ts` in the bundle. */
const packedInPlaceOf = (name: string): Plugin => ({
  name: 'packed',
  load: (id) => (id.endsWith(`/${name}.ts`) ? readFileSync(id.replace(/ts$/, 'packed.ts'), 'utf8') : null),
});

export const published = (): Published[] => [
  library('protocol'),
  library('client'),
  library('agents'),
  library('mcp'),
  library('adapters'),
  widget(),
  library('conformance', { bin: { 'holdpoint-conformance': 'cli' } }),
  server(),
];

export function copyFiles({ folder, files = [] }: Published, place: string): void {
  cpSync('LICENSE', `${place}/LICENSE`);
  for (const file of ['README.md', ...files])
    cpSync(`packages/${folder}/${file}`, `${place}/${file}`, { recursive: true });
}

const entriesOf = ({ exports = {} }: Manifest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([path, file]) => {
      const [, name] = /^\.\/src\/(.+)\.tsx?$/.exec(file) ?? [];
      return name === undefined ? [] : [[path, name]];
    }),
  );

const inputOf = (folder: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `packages/${folder}/src/${name}.ts`]));
