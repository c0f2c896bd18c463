/** Opens a page of the console, signed in as the first admin. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageOptions, Stage } from '../../widget/test/stage.ts';

export async function openConsole(stage: Stage, hash: string, options: PageOptions = {}): Promise<Page> {
  const page = await stage.open('', { scripts: '', signedIn: true, ...options });
  await page.goto(`${stage.url}/${hash}`);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Nothing is cut off, and the page does not scroll sideways. */
export async function expectNarrow(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** The parts of the page that are wider than their place: those that scroll sideways, and the page itself. */
export const sidewaysParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('html, main, main *')].flatMap((part) => {
      const { overflowX } = getComputedStyle(part);
      const isCode = part.matches('pre, code');
      const scrolls = part === document.documentElement || overflowX === 'auto' || overflowX === 'scroll';
      return scrolls && !isCode && part.scrollWidth > part.clientWidth ? [`${part.tagName} ${part.className}`] : [];
    }),
  );

/** The text of the focused row of the inbox. */
export const focusedLine = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('.inbox-row')?.textContent ?? '');

/** A time some hours ahead. */
export const later = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
