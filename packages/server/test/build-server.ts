/** Bundles the server for the tests that start it as a process: a bundle starts with half of the processor time. */
import { rmSync, symlinkSync } from 'node:fs';
import { bundle, serverEntries } from '../../../scripts/bundle.ts';

const folder = 'packages/server/build';

export async function setup(): Promise<void> {
  await bundle({ input: serverEntries }, { dir: folder, sourcemap: true });
  // The scripts of the pages, which the tests of the browser build.
  for (const pages of ['widget', 'console']) {
    rmSync(`${folder}/${pages}`, { force: true });
    symlinkSync(`../dist/${pages}`, `${folder}/${pages}`);
  }
}
