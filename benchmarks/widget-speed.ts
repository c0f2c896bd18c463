/** How soon a person can type, and how smoothly, in a browser whose processor is slowed down four times. */
import { usualForm } from '../packages/widget/test/fetched-scripts.ts';
import type { Page } from '../packages/widget/test/open-browser.ts';
import type { WidgetStage } from './widget-stage.ts';

export const slowedDown = 4;

/**
 * Runs before anything of the page. As soon as there is a first input it is given the focus and a letter, as by a person;
 * that its handler took it is seen by the draft, which is stored in the same turn. The rest is read from the browser's clock.
 */
const watchForInput = `
  const attach = Element.prototype.attachShadow;
  const look = (root) => {
    const input = root.querySelector('input');
    if (!input || globalThis.interactive) return;
    input.focus();
    input.value = 'x';
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    const isTaken = Object.keys(localStorage).some((key) => localStorage.getItem(key).includes('"x"'));
    if (root.activeElement !== input || !isTaken) return;
    globalThis.interactive = performance.now();
    console.info('interactive');
  };
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    new MutationObserver(() => look(root)).observe(root, { subtree: true, childList: true });
    return root;
  };
`;

/** The answers of the server, as if they were there already: what is timed is the widget. */
const answeredAlready = (interaction: object | undefined) => `
  const json = (body) => Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }));
  const ask = globalThis.fetch;
  const interaction = ${JSON.stringify(interaction)};
  globalThis.fetch = (url, init) => {
    const { pathname } = new URL(url, location);
    if (pathname === '/v1/events') return Promise.resolve(new Response(new ReadableStream()));
    if (pathname === '/v1/interactions') return json({ data: [interaction], nextCursor: null });
    if (pathname.endsWith('/draft')) return json({});
    return ask(url, init);
  };
`;

/** From the arrival of widget.js until the first input has the focus and takes a letter, in milliseconds. */
export async function measureInteractive(
  stage: WidgetStage,
  { times, isAnswered }: { times: number; isAnswered: boolean },
): Promise<number[]> {
  const measured: number[] = [];
  for (let time = 0; time < times; time++) {
    const { attributes, interaction } = await stage.ask(usualForm);
    let isInteractive: Promise<unknown> | undefined;
    const page = await stage.open(requests(stage, attributes), async (fresh) => {
      await fresh.addInitScript(watchForInput);
      if (isAnswered) await fresh.addInitScript(answeredAlready(interaction));
      await slowDown(fresh);
      // Told by the page: whoever asks it takes of its time.
      isInteractive = fresh.waitForEvent('console', (message) => message.text() === 'interactive');
    });
    await isInteractive;
    const arrival = `performance.getEntriesByName(${JSON.stringify(stage.scriptOf('widget'))})[0].responseEnd`;
    measured.push(await page.evaluate<number>(`interactive - ${arrival}`));
    await page.context().close();
  }
  return measured;
}

const requests = (stage: WidgetStage, attributes: string): string =>
  `<script type="module" src="${stage.scriptOf('widget')}"></script><holdpoint-requests ${attributes}></holdpoint-requests>`;

export interface Typing {
  fields: number;
  characters: number;
  longestFrameMs: number;
  /** Frames that came more than 33 ms after the one before: at 60 in a second, at least one was missed. */
  dropped: number;
}

const fields = Array.from({ length: 100 }, (_, index) => ({
  type: index % 5 === 4 ? 'select' : 'text',
  name: `field-${index}`,
  label: `Field ${index}`,
  ...(index % 5 === 4 ? { options: ['one', 'two', 'three'] } : {}),
  // Every tenth is shown only while the first has a text.
  ...(index % 10 === 9 ? { visibleIf: { all_of: [{ field: 'field-0', op: 'not_empty' }] } } : {}),
}));
const typed = 'the quick brown fox jumps over the lazy dog and runs far off';

export async function measureTyping(stage: WidgetStage): Promise<Typing> {
  const { attributes } = await stage.ask({ title: 'A long form', fields });
  const page = await stage.open(requests(stage, attributes), slowDown);
  await page.getByLabel('Field 0', { exact: false }).first().click();
  // What the first letter brings is over, and the code is as warm as after a word.
  await page.keyboard.type('warm up ', { delay: 50 });
  await page.evaluate(`(() => {
    globalThis.gaps = [];
    let last = performance.now();
    const tick = (now) => { gaps.push(now - last); last = now; requestAnimationFrame(tick); };
    requestAnimationFrame((now) => { last = now; requestAnimationFrame(tick); });
  })()`);
  await page.keyboard.type(typed, { delay: 50 });
  const gaps = await page.evaluate<number[]>('gaps');
  await page.context().close();
  return {
    fields: fields.length,
    characters: typed.length,
    longestFrameMs: Math.max(...gaps),
    dropped: gaps.filter((gap) => gap > 33).length,
  };
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowedDown });
}
