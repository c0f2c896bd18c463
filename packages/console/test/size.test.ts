/** The compressed size of the first page. The test uses the page first. */
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter } from './enter.ts';

const stage = stageOfThisFile();

test('[CO32] the first page is at most 60 KB in all', async () => {
  const replies = new Map<string, Response>();
  const page = await enter(stage, '', {
    prepare: async (opened) => {
      opened.on('response', (reply) => {
        const { pathname } = new URL(reply.url());
        if (reply.ok() && /^\/(console\/[\w.-]+)?$/.test(pathname)) replies.set(pathname, reply);
      });
    },
  });
  await page.getByText('Oldest pending', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Start the demo' }).waitFor();
  const sizes: Record<string, number> = {};
  for (const [path, reply] of replies)
    if (!/session|demo/.test(path)) sizes[path] = gzipSync(await reply.body(), { level: 9 }).length;
  expect(Object.keys(sizes)).toEqual(expect.arrayContaining(['/', '/console/console.css', '/console/console.js']));
  const sum = Object.values(sizes).reduce((all, size) => all + size, 0);
  expect(sum, JSON.stringify(sizes)).toBeLessThanOrEqual(60_000);
});
