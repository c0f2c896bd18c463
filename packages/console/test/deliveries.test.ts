/** Webhooks: deliveries, their attempts, and sending again. */
import type { Delivery, Webhook } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading, told } from './enter.ts';
import { receiver } from './receiver.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });

const deliveriesOf = async ({ id }: Webhook) =>
  (await stage.call<{ data: Delivery[] }>(`/v1/webhooks/${id}/deliveries`)).data;

test('[CO29] says what a webhook is where there is none, and makes one', async () => {
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
  await told(page, 'Sending again.');
  await expect.poll(() => state.taken).toBe(2);
  await expect.poll(() => page.locator('.delivery').count()).toBe(2);
});

test('[CO29] says that a webhook fails and why, and shows what waits', async () => {
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

test('[CO29] dead letters are counted, listed, and sent again since a time', async () => {
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
  await told(page, 'Sending earlier deliveries again.');
  await expect.poll(() => state.taken).toBe(2);
});

test('[CO29] a webhook that is not there says so', async () => {
  const page = await enter(stage, 'deliveries/none');
  await page.getByRole('alert').getByText('webhook').waitFor();
  await expectWhole(page);
});
