import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the files that an entry loads. */
const load = `
  const files = [];
  require('node:module').registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) files.push(url);
      return next(url, context);
    },
  });
  import(process.argv[1]).then(() => console.log(JSON.stringify(files)));
`;

test.each(['writer', 'reader', 'checkpointer'])(
  'the %s loads no more than the files of its thread, because each store starts one',
  async (name) => {
    const entry = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', load, entry]);
    const files: string[] = JSON.parse(stdout);
    expect(files.filter((file) => !file.includes('/server/src/stores/'))).toEqual([]);
    expect(files.length).toBeLessThan(12);
  },
);
