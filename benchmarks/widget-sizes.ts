/** The compressed bytes that a page fetches for the widget, measured by the browser after use. */
import { fetchedScripts, sumOf, usualForm } from '../packages/widget/test/fetched-scripts.ts';
import { openBrowser, type Page } from '../packages/widget/test/open-browser.ts';
import type { WidgetStage } from './widget-stage.ts';

export interface WidgetSizes {
  loader: number;
  /** A conversation without questions. */
  core: number;
  /** A form with text, select, date and rating. */
  form: number;
}

export async function measureWidgetSizes(stage: WidgetStage): Promise<WidgetSizes> {
  const browser = await openBrowser();
  const elements = `<script type="module" src="${stage.scriptOf('widget')}"></script>`;
  const weigh = async (body: string, use: (page: Page) => Promise<void>) => {
    const page = await (await browser.newContext()).newPage();
    const sizes = fetchedScripts(page);
    await page.goto(stage.host(body), { waitUntil: 'commit' });
    await use(page);
    const weighed = await sizes();
    await page.context().close();
    return weighed;
  };
  const write = async (page: Page) => {
    await page.getByRole('textbox', { name: 'Write a message' }).fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Hello').waitFor();
  };
  const data = (await stage.ask()).attributes.replaceAll(/(thread|token)=/g, 'data-$1=');
  const loaded = await weigh(`<script src="${stage.scriptOf('loader')}" ${data}></script>`, async (page) => {
    await page.getByRole('button', { name: 'Open the conversation' }).click();
    await write(page);
  });
  const core = await weigh(`${elements}<holdpoint-chat ${(await stage.ask()).attributes}></holdpoint-chat>`, write);
  const { attributes: asked } = await stage.ask(usualForm);
  const form = await weigh(`${elements}<holdpoint-requests ${asked}></holdpoint-requests>`, async (page) => {
    await page.getByLabel('Name').fill('4.2');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Name').waitFor({ state: 'detached' });
  });
  await browser.close();
  return { loader: loaded['loader.js'] ?? Number.NaN, core: sumOf(core), form: sumOf(form) };
}
