/** The page of a story in a real browser, under the one address that the server lets its pages call from. */
import { openBrowser, type Page } from '../packages/widget/test/open-browser.ts';
import type { Stage } from './tell-story.ts';

/** Known before anything runs, as the address of a page is in earnest. Browsers trust `localhost` like https. */
export const pageOrigin = 'http://page.localhost';

/** `at` is where it is served. What the page does wrong, the story is told when it ends. */
export async function openPage(at: string, afterwards: Stage['afterwards']): Promise<Page> {
  const browser = await openBrowser(`--host-resolver-rules=MAP page.localhost ${new URL(at).host}`);
  const faults: string[] = [];
  afterwards(async () => {
    await browser.close();
    if (faults.length > 0) throw new Error(`The page complained: ${faults.join(', ')}`);
  });
  const page = await browser.newPage({ reducedMotion: 'reduce', locale: 'en-US' });
  // The story itself has a limit.
  page.setDefaultTimeout(0);
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(pageOrigin);
  return page;
}
