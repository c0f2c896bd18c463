/** Runs every story as a reader would. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { stories } from './stories.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const names = stories();
const overview = readFileSync(join(here, 'README.md'), 'utf8');
// Do not use a server that the machine's environment names.
const { HOLDPOINT_URL: _url, HOLDPOINT_API_KEY: _key, ...env } = process.env;

test('[EX1] every folder has a story and a README that says how to run it, and the overview names it', () => {
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(existsSync(join(here, name, 'story.ts')), `${name}/story.ts`).toBe(true);
    expect(readFileSync(join(here, name, 'README.md'), 'utf8')).toContain(`npm run example -- ${name}\n`);
    expect(overview).toContain(`| [${name}](${name}) |`);
  }
});

describe('[EX2] a story runs by itself to its end', { concurrent: true }, () => {
  test.for(names)('%s', async (name) => {
    const ended = await run(process.execPath, [join(here, name, 'story.ts')], { env }).then(
      ({ stdout }) => ({ code: 0, printed: stdout }),
      ({ code, stdout, stderr }) => ({ code, printed: stdout + stderr }),
    );
    expect(ended).toEqual({ code: 0, printed: expect.stringContaining('went as it should') });
  });
});
