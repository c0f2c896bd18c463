/** The reference at /docs in a browser: its search, and narrow windows. */
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

test('[PG4] a search finds operations, types and errors by their words, by keyboard alone', async () => {
  const page = await stage.visit('/docs', { signedIn: false, viewport: { width: 1440, height: 900 } });
  const search = page.getByRole('searchbox', { name: 'Search this page' });
  await search.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('wait answer');
  await page.getByText(/^\d+ found$/).waitFor();
  await expectAccessible(page);
  const first = page.locator('.results a').first();
  expect(await first.innerText()).toContain('Wait for the answer');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#get-v1-interactions-interactionid-wait');
  for (const [typed, id] of [
    ['idempotency-key-reused', '#error-idempotency-key-reused'],
    ['signature', '#field-signature'],
  ] as const) {
    await search.fill(typed);
    await page.locator(`.results a[href="${id}"]`).waitFor();
  }
  await search.fill('nothing has this word qqq');
  await page.getByText('Nothing found.').waitFor();
  await search.press('Escape');
  await page.getByRole('link', { name: 'Quickstart' }).first().waitFor();
});

test('[PG4] the page works without scripts', async () => {
  const page = await stage.visit('/docs', {
    signedIn: false,
    javaScriptEnabled: false,
    viewport: { width: 1440, height: 900 },
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Wait for the answer' }).click();
  expect(new URL(page.url()).hash).toBe('#get-v1-interactions-interactionid-wait');
  expect(await page.getByRole('searchbox').count()).toBe(0);
});

test('[PG6] nothing is wider than the window, and axe finds no fault', async () => {
  const page = await stage.visit('/docs', { signedIn: false });
  await page.getByRole('searchbox').waitFor();
  for (const width of [320, 375, 480, 640, 704, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${width}`,
    ).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  await expectAccessible(page);
});
