/** Opens a browser for programs outside the tests. */
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './find-browser.ts';

export type { Browser, Page } from 'playwright-core';

export const openBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', ...args] });
