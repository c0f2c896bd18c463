/** A page of the console, signed in as on one's own machine. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageOptions, Stage } from '../../widget/test/stage.ts';

export async function openConsole(stage: Stage, hash: string, options: PageOptions = {}): Promise<Page> {
  const page = await stage.open('', { scripts: '', ...options });
  await page.goto(`${stage.url}/${hash}`);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Nothing is cut off, and nothing has to be scrolled sideways. */
export async function expectNarrow(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** What the line of the inbox says that has the focus. */
export const focusedLine = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('.inbox-row')?.textContent ?? '');

/** So many hours ahead. */
export const later = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
