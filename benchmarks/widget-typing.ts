/** Measures dropped frames and processor time while a user types into a long form. */
import type { PlainBrowser, PlainPage, TraceEvent } from './widget-browser.ts';
import { slowedDown } from './widget-interactive.ts';
import type { WidgetStage } from './widget-stage.ts';

export interface Typing {
  fields: number;
  characters: number;
  longestFrameMs: number;
  /** Frames more than 33 ms after the previous one: at 60 per second, at least one was missed. */
  dropped: number;
  /** The same for a plain form with the same fields and no script: the loss of the machine and the browser alone. */
  droppedInBareForm: number;
  /** Processor time of the main thread for one letter and its effects, at full speed, times the slowdown. */
  processorMsOfLetters: number[];
  /** The share of the browser itself, measured with the plain form. */
  processorMsInBareForm: number[];
}

/** The time that the widget adds to a letter must leave room in the frame for the browser. */
export const frameMs = 1_000 / 60;
const keyEveryMs = 50;

const fields = Array.from({ length: 100 }, (_, index) => ({
  type: index % 5 === 4 ? 'select' : 'text',
  name: `field-${index}`,
  label: `Field ${index}`,
  ...(index % 5 === 4 ? { options: ['one', 'two', 'three'] } : {}),
  // Every tenth field is shown only while the first field has a text.
  ...(index % 10 === 9 ? { visibleIf: { all_of: [{ field: 'field-0', op: 'not_empty' }] } } : {}),
}));
const typed = 'the quick brown fox jumps over the lazy dog and runs far off';

export async function measureTyping(stage: WidgetStage, browser: PlainBrowser): Promise<Typing> {
  const gaps = await frameGaps(stage, browser, await widgetBody(stage));
  return {
    fields: fields.length,
    characters: typed.length,
    longestFrameMs: Math.max(...gaps),
    dropped: countDropped(gaps),
    droppedInBareForm: countDropped(await frameGaps(stage, browser, bareForm)),
    processorMsOfLetters: await processorMs(stage, browser, await widgetBody(stage)),
    processorMsInBareForm: await processorMs(stage, browser, bareForm),
  };
}

const countDropped = (gaps: readonly number[]): number => gaps.filter((gap) => gap > 33).length;

/** Time between two frames during typing, with the processor slowed down. */
async function frameGaps(stage: WidgetStage, browser: PlainBrowser, body: string): Promise<number[]> {
  const page = await openForm(stage, browser, body);
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowedDown });
  await evaluate(
    page,
    `globalThis.gaps = [];
    let last;
    const tick = (now) => { if (last) gaps.push(now - last); last = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);`,
  );
  await type(page, typed);
  const gaps = await evaluate<number[]>(page, 'gaps');
  await page.close();
  return gaps;
}

async function processorMs(stage: WidgetStage, browser: PlainBrowser, body: string): Promise<number[]> {
  const page = await openForm(stage, browser, body);
  await browser.startTrace(['toplevel', 'devtools.timeline']);
  await type(page, typed);
  const trace = await browser.endTrace();
  await page.close();
  return busyPerKey(trace).map((ms) => slowedDown * ms);
}

async function widgetBody(stage: WidgetStage): Promise<string> {
  const { attributes } = await stage.ask({ title: 'A long form', fields });
  return `<script type="module" src="${stage.scriptOf('widget')}"></script><holdpoint-requests ${attributes}></holdpoint-requests>`;
}

const bareForm = `<form>${fields
  .map(({ type, name, label }) => {
    const control =
      type === 'text' ? `<input id="${name}">` : `<select id="${name}"><option>one<option>two<option>three</select>`;
    return `<p><label for="${name}">${label}</label> ${control}</p>`;
  })
  .join('')}</form>`;

/** Gives the first field the focus and types some words to warm up. */
async function openForm(stage: WidgetStage, browser: PlainBrowser, body: string): Promise<PlainPage> {
  const page = await browser.newPage();
  await page.send('Page.enable');
  const focused = `<script>
    const look = setInterval(() => {
      const root = document.querySelector('holdpoint-requests')?.shadowRoot ?? document;
      const input = root.querySelector('input');
      if (!input) return;
      clearInterval(look);
      input.focus();
      fetch('/report', { method: 'POST', body: '{}' });
    }, 50);
  </script>`;
  const report = stage.nextReport();
  await page.send('Page.navigate', { url: stage.host(body + focused) });
  await report;
  await type(page, 'warm up ');
  return page;
}

async function type(page: PlainPage, text: string): Promise<void> {
  for (const letter of text) {
    const pause = new Promise((resolve) => setTimeout(resolve, keyEveryMs));
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', text: letter, key: letter });
    await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key: letter });
    await pause;
  }
}

async function evaluate<T>(page: PlainPage, expression: string): Promise<T> {
  const { result } = await page.send('Runtime.evaluate', { expression, returnByValue: true });
  return (result as { value: T }).value;
}

/** All tasks of the main thread between one key and the next. */
function busyPerKey(trace: readonly TraceEvent[]): number[] {
  const keys = trace.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'keydown');
  const tasks = trace.filter(
    ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pid === keys[0]?.pid && tid === keys[0].tid,
  );
  return keys.map((key, index) => {
    const until = keys[index + 1]?.ts ?? Number.POSITIVE_INFINITY;
    // The task of a key begins before its event.
    const ofKey = tasks.filter(({ ts, dur = 0 }) => ts + dur > key.ts && ts + dur <= until);
    return ofKey.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000;
  });
}
