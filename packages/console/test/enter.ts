/** Opens the console in a browser, signed in as the first admin. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, type Stage, type VisitOptions } from '../../widget/test/stage.ts';

export async function enter(stage: Stage, hash = '', options: VisitOptions = {}): Promise<Page> {
  const page = await stage.visit(`/#/${hash}`, options);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Waits for a notice. */
export const notice = (page: Page, words: string | RegExp) =>
  page.locator('.toasts').getByText(words).first().waitFor();

/** No axe violation, one h1, one main. */
export async function expectWhole(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.locator('main').count()).toBe(1);
}
