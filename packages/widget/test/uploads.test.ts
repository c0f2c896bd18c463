/** Files: picked, dropped and pasted, with progress; removed, rejected, and awaited. */
import type { JSHandle, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pixel } from './every-field.ts';
import { button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const photos = (field: object = {}) => ({
  title: 'Send photos',
  fields: [{ type: 'image_upload', name: 'photos', label: 'Photos', multiple: true, ...field }],
});
const picker = (page: Page) => page.locator('input[type=file]');
const names = async (id: string) => {
  const values = (await scenes.stored(id)).answer?.values.photos as { name: string }[] | undefined;
  return values?.map(({ name }) => name).sort();
};
const png = (name: string, buffer = pixel) => ({ name, mimeType: 'image/png', buffer });

/** The data that a page gets when files are dropped or pasted. */
const carried = (page: Page, name: string): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ({ file, bytes }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], file, { type: 'image/png' }));
      return transfer;
    },
    { file: name, bytes: [...pixel] },
  );

/** Slow enough that no upload ends before the test looks. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<(isSlow: boolean) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const set = (isSlow: boolean) =>
    session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput: isSlow ? bytesPerSecond : -1,
    });
  await session.send('Network.enable');
  await set(true);
  return set;
}

test('[WI9] files are picked, dropped and pasted, and answered together', async () => {
  const { page, id } = await scenes.request(photos());
  await picker(page).setInputFiles([png('picked.png')]);
  const zone = page.locator('.drop');
  await zone.dispatchEvent('dragover', { dataTransfer: await carried(page, 'dropped.png') });
  await expectAccessible(page);
  await zone.dispatchEvent('drop', { dataTransfer: await carried(page, 'dropped.png') });
  await picker(page).focus();
  await picker(page).evaluate(
    (it, clipboardData) =>
      it.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true })),
    await carried(page, 'pasted.png'),
  );
  for (const name of ['picked', 'dropped', 'pasted']) await button(page, `Remove ${name}.png`).waitFor();
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  expect(await names(id)).toEqual(['dropped.png', 'pasted.png', 'picked.png']);
});

test('[WI9] a picture has a preview', async () => {
  const { page } = await scenes.request(photos());
  await picker(page).setInputFiles([png('one.png')]);
  const preview = page.locator('canvas.preview');
  await preview.waitFor();
  const drawn = await preview.evaluate((it) => {
    const { width, height } = it as HTMLCanvasElement;
    return (it as HTMLCanvasElement)
      .getContext('2d')
      ?.getImageData(0, 0, width, height)
      .data.some((byte) => byte > 0);
  });
  expect(drawn).toBe(true);
});

test('[WI9] an upload shows its progress, and can be removed', async () => {
  const { page, id } = await scenes.request(photos());
  await picker(page).waitFor();
  const slow = await slowDown(page, 60_000);
  await picker(page).setInputFiles([png('large.png', Buffer.concat([pixel, Buffer.alloc(6_000_000)]))]);
  const progress = page.getByRole('progressbar', { name: 'Uploading large.png' });
  await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0);
  await expectAccessible(page);
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/uploads'));
  await button(page, 'Remove large.png').click();
  await stopped;
  expect(await progress.count()).toBe(0);
  await slow(false);
  await picker(page).setInputFiles([png('small.png')]);
  await page.locator('canvas.preview').waitFor();
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  expect(await names(id)).toEqual(['small.png']);
});

test('[WI9] an answer waits for all running uploads', async () => {
  const { page, id } = await scenes.request(photos());
  const all = Array.from({ length: 12 }, (_, index) => `${String.fromCharCode(97 + index)}.png`);
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let atOnce = 0;
  let most = 0;
  await page.route('**/uploads?*', async (route) => {
    most = Math.max(most, ++atOnce);
    await gate;
    const reply = await route.fetch();
    atOnce--;
    await route.fulfill({ response: reply });
  });
  await picker(page).setInputFiles(all.map((name) => png(name)));
  await button(page, 'Send').click();
  await button(page, 'Sending…').waitFor();
  letGo();
  await page.getByText('This request was answered.').waitFor();
  expect(await names(id)).toEqual(all);
  expect(most).toBeLessThanOrEqual(4);
});

test('[WI9] an answer is not sent if an upload failed', async () => {
  const { page, id } = await scenes.request(photos());
  let fail = () => {};
  const gate = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/uploads?*', async (route) => {
    await gate;
    await route.abort();
  });
  await picker(page).setInputFiles([png('one.png')]);
  await button(page, 'Send').click();
  await button(page, 'Sending…').waitFor();
  fail();
  await page.getByText('Could not upload one.png.').waitFor();
  await button(page, 'Send').waitFor();
  await expectAccessible(page);
  expect((await scenes.stored(id)).status).toBe('pending');
  await page.unroute('**/uploads?*');
  await button(page, 'Remove one.png').click();
  await picker(page).setInputFiles([png('two.png')]);
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  expect(await names(id)).toEqual(['two.png']);
});

test('[WI9] a rejected file shows the server’s reason', async () => {
  const { page, id } = await scenes.request(photos({ maxSizeMb: 1, accept: ['image/png'] }));
  await picker(page).waitFor();
  const said: string[] = [];
  page.on('response', async (reply) => {
    if (reply.url().includes('/uploads?') && !reply.ok())
      said.push(((await reply.json()) as { detail: string }).detail);
  });
  await picker(page).setInputFiles([{ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html></html>') }]);
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toBeTruthy();
  await page
    .getByRole('alert')
    .getByText(said[0] ?? '')
    .waitFor();
  await button(page, 'Remove page.png').click();
  await picker(page).setInputFiles([png('large.png', Buffer.concat([pixel, Buffer.alloc(1_100_000)]))]);
  await page.getByRole('alert').getByText('larger than 1 MB').waitFor();
  await expectAccessible(page);
  await button(page, 'Remove large.png').click();
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  expect(await names(id)).toBe(undefined);
});

test('[WI10] a signature is sent although the person does not wait for its upload', async () => {
  const { page, id } = await scenes.request({
    title: 'Sign',
    fields: [
      { type: 'signature', name: 'photos', label: 'Signature', required: true, canvasWidth: 300, canvasHeight: 100 },
    ],
  });
  await page.getByRole('radio', { name: 'Type' }).check();
  await page.getByRole('textbox', { name: 'Type your name' }).fill('Ann Lee');
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  const signed = (await scenes.stored(id)).answer?.values.photos as { file_id: string } | undefined;
  expect(await stage.call(`/v1/files/${signed?.file_id}`)).toMatchObject({
    mime: 'image/png',
    width: 300,
    height: 100,
  });
});
