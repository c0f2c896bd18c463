/** Starting the demo with one click. */
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole } from './enter.ts';

const stage = stageOfThisFile();

test('[CO25] reports a demo that does not start, and the user can retry', async () => {
  const page = await enter(stage, '', {
    prepare: (opened) =>
      opened.route('**/console/demo', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      ),
  });
  const start = page.getByRole('button', { name: 'Start the demo' });
  await start.click();
  await page.getByRole('status').getByText('Could not reach the server').waitFor();
  expect(await start.getAttribute('aria-disabled')).not.toBe('true');
});

test('[CO25] one click starts the demo and opens its conversation', async () => {
  const page = await enter(stage);
  await page.getByRole('heading', { name: 'See an agent at work' }).waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/threads\/./);
  const { threadId } = await stage.call<{ threadId: string }>('/console/demo');
  expect(new URL(page.url()).hash).toBe(`#/threads/${threadId}`);
});
