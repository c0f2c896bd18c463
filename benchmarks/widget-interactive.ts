/** Measures the time until a user can type, with the processor slowed down four times, and the processor time it takes. */
import { usualForm } from '../packages/widget/test/fetched-scripts.ts';
import type { PlainBrowser, TraceEvent } from './widget-browser.ts';
import type { WidgetStage } from './widget-stage.ts';

export const slowedDown = 4;

/** From the arrival of the script until the element has the focus and has taken a letter. */
export interface Interactive {
  /** Wall time, with the processor slowed down. */
  wallMs: number[];
  /** Processor time of the main thread at full speed, times the slowdown. It excludes waiting for other processes. */
  processorMs: number[];
}

interface Scene {
  script: 'loader' | 'widget';
  /** The element, or the attributes of the script. */
  tag(attributes: string): string;
  looksFor: 'button' | 'textarea' | 'input';
  asks: boolean;
  isAnswered: boolean;
}

const requests = (attributes: string) => `<holdpoint-requests ${attributes}></holdpoint-requests>`;
const chat = (attributes: string) => `<holdpoint-chat ${attributes}></holdpoint-chat>`;

export const scenes = {
  launcher: { script: 'loader', tag: () => '', looksFor: 'button', asks: false, isAnswered: false },
  composer: { script: 'widget', tag: chat, looksFor: 'textarea', asks: false, isAnswered: false },
  form: { script: 'widget', tag: requests, looksFor: 'input', asks: true, isAnswered: true },
  formWithServer: { script: 'widget', tag: requests, looksFor: 'input', asks: true, isAnswered: false },
} satisfies Record<string, Scene>;
export type SceneName = keyof typeof scenes;

export async function measureInteractive(
  stage: WidgetStage,
  browser: PlainBrowser,
  times: number,
): Promise<Record<SceneName, Interactive>> {
  const found = Object.fromEntries(
    Object.keys(scenes).map((name): [string, Interactive] => [name, { wallMs: [], processorMs: [] }]),
  ) as Record<SceneName, Interactive>;
  // In turns, so that other load on the machine affects all alike.
  for (let time = 0; time < times; time++)
    for (const [name, scene] of Object.entries(scenes)) {
      const { wallMs, processorMs } = found[name as SceneName];
      wallMs.push((await openOnce(stage, browser, { scene, rate: slowedDown })).wallMs);
      const { trace } = await openOnce(stage, browser, { scene, rate: 1 });
      processorMs.push(slowedDown * processorTime(trace, stage.scriptOf(scene.script)));
    }
  return found;
}

async function openOnce(
  stage: WidgetStage,
  browser: PlainBrowser,
  { scene, rate }: { scene: Scene; rate: number },
): Promise<{ wallMs: number; trace: TraceEvent[] }> {
  const { attributes, interaction } = await stage.ask(scene.asks ? usualForm : undefined);
  const page = await browser.newPage();
  await page.send('Page.enable');
  const source = watch(scene, stage.scriptOf(scene.script)) + (scene.isAnswered ? answeredAlready(interaction) : '');
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source });
  await page.send('Emulation.setCPUThrottlingRate', { rate });
  const report = stage.nextReport<{ wallMs: number; isTaken: boolean }>();
  if (rate === 1) await browser.startTrace(['devtools.timeline', 'blink.user_timing']);
  await page.send('Page.navigate', { url: stage.host(lateScript(stage, scene, attributes) + scene.tag(attributes)) });
  const { wallMs, isTaken } = await report;
  if (!isTaken) throw new Error(`the ${scene.looksFor} of a page did not take its letter`);
  const trace = rate === 1 ? await browser.endTrace() : [];
  await page.close();
  return { wallMs, trace };
}

/** Adds the script to a page that is already loaded, so that loading and drawing the page is not counted. */
const lateScript = (stage: WidgetStage, { script }: Scene, attributes: string): string => {
  const data = Object.fromEntries([...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  return `<script>
    addEventListener('load', () => setTimeout(() => {
      const script = document.createElement('script');
      script.type = ${script === 'widget' ? "'module'" : "''"};
      Object.assign(script.dataset, ${JSON.stringify(data)});
      script.src = ${JSON.stringify(stage.scriptOf(script))};
      document.head.append(script);
    }, 300));
  </script>`;
};

/**
 * Runs before the page. Gives the element the focus and a letter as soon as it exists, like a user.
 * A later effect shows that its handler took the letter: a composer sends a typing event, a form stores a draft.
 */
const watch = ({ looksFor }: Scene, script: string): string => `{
  const attach = Element.prototype.attachShadow;
  const ask = globalThis.fetch;
  let hasTyped = false;
  globalThis.fetch = (url, init) => {
    hasTyped ||= String(url).endsWith('/typing');
    return ask(url, init);
  };
  let end;
  const look = (root) => {
    const input = root.querySelector('${looksFor}');
    if (!input || end !== undefined) return;
    input.focus();
    if (root.activeElement !== input) return;
    if (input.value === '') {
      input.value = 'x';
      input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    }
    performance.mark('interactive');
    end = performance.now();
    setTimeout(() => {
      dispatchEvent(new PageTransitionEvent('pagehide'));
      const hasDraft = Object.keys(localStorage).some((key) => localStorage.getItem(key).includes('"x"'));
      const isTaken = { button: true, textarea: hasTyped, input: hasDraft }.${looksFor};
      const { responseEnd } = performance.getEntriesByName(${JSON.stringify(script)})[0];
      ask('/report', { method: 'POST', body: JSON.stringify({ wallMs: end - responseEnd, isTaken }) });
    }, 100);
  };
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    new MutationObserver(() => look(root)).observe(root, { subtree: true, childList: true });
    return root;
  };
}`;

/** Serves prepared responses of the server, so that only the widget is timed. */
const answeredAlready = (interaction: object | undefined): string => `{
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
}`;

/** Processor time of the thread that set the mark, since the script arrived. */
function processorTime(trace: readonly TraceEvent[], script: string): number {
  const mark = trace.find(({ name }) => name === 'interactive');
  const sent = trace.find(({ name, args }) => name === 'ResourceSendRequest' && args.data?.url === script);
  const arrived = trace.find(
    ({ name, args }) => name === 'ResourceFinish' && args.data?.requestId === sent?.args.data?.requestId,
  );
  if (mark?.tts === undefined || arrived?.tts === undefined) throw new Error('the trace has no processor time');
  return (mark.tts - arrived.tts) / 1_000;
}
