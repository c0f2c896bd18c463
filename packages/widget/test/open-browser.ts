/** A browser for whoever looks at the widget outside its tests. */
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './find-browser.ts';

export type { Browser, Page } from 'playwright-core';

export const openBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', ...args] });
