/** Opens the page of a story in a real browser, at the one origin that the server allows. */
import { openBrowser, type Page } from '../packages/widget/test/open-browser.ts';
import type { Stage } from './run-story.ts';

/** Fixed before anything runs, like the address of a real page. Browsers trust `localhost` like https. */
export const pageOrigin = 'http://page.localhost';

/** Opens the page that is served at `at`. Errors of the page fail the story when it ends. */
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
