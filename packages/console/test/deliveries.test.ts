/** Webhooks: deliveries, their attempts, and sending again. */
import type { Delivery, Webhook } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading, notice } from './enter.ts';
import { receiver } from './receiver.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });

const deliveriesOf = async ({ id }: Webhook) =>
  (await stage.call<{ data: Delivery[] }>(`/v1/webhooks/${id}/deliveries`)).data;

test('[CO29] explains webhooks on an empty page, and creates one', async () => {
  const page = await enter(stage, 'deliveries');
  await page.getByText('No webhooks yet').waitFor();
  await expectWhole(page);
  const { url } = await receiver(200);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByLabel('URL').fill(url);
  await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: url }).click();
  await heading(page, url).waitFor();
  await page.getByText('No deliveries yet').waitFor();
});

test('[CO29] lists deliveries with every attempt, and sends one again', async () => {
  const { url, state } = await receiver(200);
  const webhook = await stage.call<Webhook>('/v1/webhooks', { url, events: ['interaction.created'] });
  await stage.ask(await stage.newThread(), { title: 'Deploy?' });
  await expect.poll(async () => (await deliveriesOf(webhook))[0]?.status).toBe('delivered');
  const page = await enter(stage, `deliveries/${webhook.id}`);
  const row = page.getByRole('listitem').filter({ hasText: 'interaction.created' }).first();
  await row.locator('summary').click();
  await row.getByRole('cell', { name: '200' }).waitFor();
  await expectWhole(page);
  await row.getByRole('button', { name: 'Send again' }).click();
  await notice(page, 'Sending again.');
  await expect.poll(() => state.taken).toBe(2);
  await expect.poll(() => page.locator('.delivery').count()).toBe(2);
});

test('[CO29] shows a failing webhook with the reason, and its pending deliveries', async () => {
  const { url } = await receiver(500);
  const webhook = await stage.call<Webhook>('/v1/webhooks', { url, events: ['interaction.created'] });
  await stage.ask(await stage.newThread(), { title: 'Deploy?' });
  await expect.poll(async () => (await deliveriesOf(webhook))[0]?.attempts.length).toBeGreaterThan(0);
  const page = await enter(stage, `deliveries/${webhook.id}?status=pending`);
  await page.locator('.delivery').getByText('500').first().waitFor();
  await page.locator('.delivery').getByText('Pending').waitFor();
  await page.getByRole('tab', { name: 'Delivered' }).click();
  await page.getByText('No deliveries yet').waitFor();
  expect(new URL(page.url()).hash).toBe(`#/deliveries/${webhook.id}?status=delivered`);
});

test('[CO81] a webhook whose recent attempts all failed is failing, until one succeeds', async () => {
  const { url, state } = await receiver(500);
  const webhook = await stage.call<Webhook>('/v1/webhooks', { url, events: ['interaction.created'] });
  const page = await enter(stage, 'deliveries');
  const row = page.getByRole('listitem').filter({ hasText: url });
  await row.getByText('Healthy').waitFor();
  await stage.ask(await stage.newThread(), { title: 'Deploy?' });
  await expect.poll(async () => (await deliveriesOf(webhook))[0]?.attempts.length).toBeGreaterThan(0);
  await page.reload();
  await row.getByText('Failing').waitFor();
  await row.getByText('No delivery succeeded yet. Last error:').waitFor();
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Failing').first().waitFor();
  await expectWhole(page);
  state.status = 200;
  await stage.ask(await stage.newThread(), { title: 'Deploy again?' });
  await page.getByText('Healthy').waitFor();
});

test('[CO29] counts and lists failed deliveries, and sends them again since a time', async () => {
  const { url, state } = await receiver(200);
  const webhook = await stage.call<Webhook>('/v1/webhooks', { url, events: ['interaction.created'] });
  await stage.ask(await stage.newThread(), { title: 'Deploy?' });
  await expect.poll(async () => (await deliveriesOf(webhook))[0]?.status).toBe('delivered');
  const [delivered] = (await deliveriesOf(webhook)) as [Delivery];
  const attempts = [{ at: delivered.createdAt, durationMs: 15_000, error: 'It did not answer in time.' }];
  const dead: Delivery = { ...delivered, status: 'dead', attempts };
  // A delivery fails for good after three days, so the test changes the response of the list.
  const page = await enter(stage, 'deliveries', {
    prepare: (opened) =>
      opened.route(`**/v1/webhooks/${webhook.id}/deliveries?*`, (route) => route.fulfill({ json: { data: [dead] } })),
  });
  await page.getByRole('link', { name: url }).getByText('1 failed').waitFor();
  await page.getByRole('link', { name: url }).click();
  await page.getByRole('tab', { name: 'Failed' }).click();
  await page.locator('.delivery summary').click();
  await page.getByRole('cell', { name: 'It did not answer in time.' }).waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Send again…' }).click();
  await page.getByRole('radio', { name: 'All deliveries' }).check();
  await expectWhole(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await notice(page, 'Sending earlier deliveries again.');
  await expect.poll(() => state.taken).toBe(2);
});

test('[CO29] reports a missing webhook', async () => {
  const page = await enter(stage, 'deliveries/none');
  await page.getByRole('alert').getByText('webhook').waitFor();
  await expectWhole(page);
});
