/** The overview: figures, charts, and first steps. */
import type { Overview } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const figure = (page: Page, name: string) =>
  page.locator('.tile', { has: page.getByText(name, { exact: true }) }).locator('.tile-figure');

test('[CO25] one click creates the first request and opens it', async () => {
  const page = await enter(stage);
  await page.getByRole('heading', { name: 'Create your first request' }).waitFor();
  await page.getByText('/v1/$1').waitFor();
  expect(await page.getByText('Start the demo').count()).toBe(0);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Create a sample request' }).click();
  await page.getByText('Deploy 4.2 to production?').first().waitFor();
  expect(new URL(page.url()).hash).toMatch(/^#\/inbox\/./);
  const { data } = await stage.call<{ data: { title: string }[] }>('/v1/interactions?status=pending');
  expect(data.map(({ title }) => title)).toEqual(['Deploy 4.2 to production?']);
});

test('[CO25] the command for a terminal creates a request', async () => {
  const page = await enter(stage, '', {
    prepare: (opened) =>
      opened.route('**/v1/overview*', async (route) => {
        const reply = await route.fetch();
        const overview = (await reply.json()) as Overview;
        const empty = overview.buckets.map((bucket) => ({ ...bucket, created: 0, answered: 0 }));
        await route.fulfill({ json: { ...overview, pending: 0, buckets: empty } });
      }),
  });
  const text = await page.locator('.first-code pre code').innerText();
  const { execFileSync } = await import('node:child_process');
  execFileSync('sh', ['-c', text], { env: { ...process.env, HOLDPOINT_API_KEY: 'key-of-the-tests' } });
  const { data } = await stage.call<{ data: { title: string }[] }>('/v1/interactions?threadId=first');
  expect(data.map(({ title }) => title)).toEqual(['Deploy 4.2?']);
});

test('[CO26] shows the number of pending requests, their age, and the requests by outcome', async () => {
  const thread = await stage.newThread();
  const [one, two] = [await stage.ask(thread, { title: 'One?' }), await stage.ask(thread, { title: 'Two?' })];
  await stage.call(`/v1/interactions/${one.id}/answers`, {
    responder: { type: 'human', id: 'mia' },
    values: { text: 'yes' },
  });
  await stage.call(`/v1/interactions/${two.id}/cancel`, {});
  const stored = await stage.call<Overview>('/v1/overview');
  const sum = (name: 'created' | 'answered') => stored.buckets.reduce((all, bucket) => all + bucket[name], 0);
  const page = await enter(stage);
  await expect.poll(() => figure(page, 'Pending').innerText()).toBe(String(stored.pending));
  expect(await figure(page, 'Requests').innerText()).toBe(String(sum('created')));
  expect(await figure(page, 'Answered').innerText()).toBe(String(sum('answered')));
  expect(await figure(page, 'Oldest pending').innerText()).toMatch(/\d+ (ms|s|min)/);
  expect(await figure(page, 'Median time').innerText()).toMatch(/\d+ (ms|s)/);
  const chart = page.getByRole('figure', { name: 'Requests by outcome' });
  const words = `${sum('created')} requests in the last 24 hours: ${sum('answered')} answered`;
  await chart.getByRole('img', { name: words }).waitFor();
  await chart.getByText('Show as a table').click();
  expect(await chart.getByRole('row').count()).toBe(stored.buckets.length + 1);
  expect(await chart.getByRole('row').last().innerText()).toContain(String(sum('answered')));
  await expectWhole(page);
  await page.getByRole('link', { name: 'Open inbox' }).click();
  await heading(page, 'Inbox').waitFor();
});

test('[CO26] the address contains the time span', async () => {
  const page = await enter(stage);
  await page.getByRole('radio', { name: '7 days' }).check();
  expect(new URL(page.url()).hash).toBe('#/?hours=168');
  await page.reload();
  await expect.poll(() => page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
  await page.getByRole('img', { name: 'in the last 7 days' }).first().waitFor();
});

test('[CO26] shows the values of the column under the pointer', async () => {
  const page = await enter(stage);
  const chart = page.getByRole('figure', { name: 'Requests by outcome' });
  const box = await chart.getByRole('img').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 20);
  await expect.poll(() => chart.locator('.chart-when').innerText()).toMatch(/^\d\d:00$/);
});

test('[CO30] reports why data could not be loaded, and retries', async () => {
  const page = await enter(stage);
  await figure(page, 'Requests').waitFor();
  await page.route('**/v1/overview*', (route) => route.abort());
  await page.getByRole('radio', { name: '30 days' }).check();
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  await expectWhole(page);
  await page.unroute('**/v1/overview*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await figure(page, 'Requests').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
