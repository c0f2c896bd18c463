/**
 * Loads what needs the whole server, in a way that no bundler follows: the threads, pages and migrations of the server are files beside it,
 * and an app that is bundled (Next.js) would have to bring them along. So it is loaded from `node_modules` when it is needed.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Embed = typeof import('./embed.ts');

/** From this file, or where it was bundled into an app that was built elsewhere, from the folder in which the app runs. */
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
    'The package holdpoint is not installed where the app runs. It is needed there, also if the app is bundled.',
  );
};
