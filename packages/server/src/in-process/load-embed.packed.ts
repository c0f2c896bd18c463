/**
 * Loads the server from `node_modules` when it is needed, in a way that no bundler follows. The threads, pages and migrations
 * of the server are files next to it, and a bundled app (Next.js) would have to include them.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Embed = typeof import('./embed.ts');

/** Resolves from this file. In an app that was bundled and built elsewhere, resolves from the folder in which the app runs. */
export const loadEmbed = async (): Promise<Embed> => {
  const { createRequire } = process.getBuiltinModule('node:module');
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json'))]) {
    const require = createRequire(from);
    let manifest: string;
    try {
      manifest = require.resolve('holdpoint/package.json');
    } catch {
      continue;
    }
    return require(join(dirname(manifest), 'dist', 'embed.js')) as Embed;
  }
  throw new Error(
    'The package holdpoint is not installed where the app runs. Install it there, even if the app is bundled.',
  );
};
