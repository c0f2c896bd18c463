/**
 * Drives Chromium with few commands of its own protocol. A test driver makes it keep the stack of every
 * network call and of every promise: a tenth of the measured time, which no user's browser spends.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../packages/widget/test/find-browser.ts';

/** A trace event of the browser: wall time and processor time of the thread, in microseconds. */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tts?: number;
  tdur?: number;
  args: { data?: Record<string, unknown> };
}

export interface PlainPage {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface PlainBrowser {
  /** With nothing cached. */
  newPage(): Promise<PlainPage>;
  startTrace(categories: readonly string[]): Promise<void>;
  endTrace(): Promise<TraceEvent[]>;
  close(): Promise<void>;
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  // Keeps pages in the foreground, although the browser has no visible window.
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  // Parts of the browser window that are pages themselves and would be drawn on the same processor.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,PreloadTopChromeWebUI',
  '--remote-debugging-port=0',
];

export async function openPlainBrowser(): Promise<PlainBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'holdpoint-browser-'));
  const child = spawn(findBrowser(), [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const isGone = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stderr.on('data', (text) => {
      printed += text;
      const found = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the browser ended with ${code}: ${printed}`)));
  });
  const { call, events, hangUp } = await connect(address);

  return {
    async newPage() {
      const { browserContextId } = await call('Target.createBrowserContext');
      const { targetId } = await call('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
      return {
        send: (method, params = {}) => call(method, params, sessionId as string),
        close: async () => void (await call('Target.disposeBrowserContext', { browserContextId })),
      };
    },
    async startTrace(categories) {
      const traceConfig = { recordMode: 'recordUntilFull', includedCategories: categories };
      await call('Tracing.start', { traceConfig, transferMode: 'ReportEvents' });
    },
    async endTrace() {
      const collected: TraceEvent[] = [];
      const isOver = new Promise<void>((resolve) => {
        events.set('Tracing.dataCollected', ({ value }) => collected.push(...(value as TraceEvent[])));
        events.set('Tracing.tracingComplete', () => resolve());
      });
      await call('Tracing.end');
      await isOver;
      return collected;
    },
    async close() {
      await call('Browser.close').catch(() => {});
      hangUp();
      await isGone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Reply = Record<string, unknown>;

async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  const events = new Map<string, (params: Reply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data));
    if (id === undefined) return events.get(method)?.(params);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has hung up'));
  });
  let last = 0;
  const call = (method: string, params: object = {}, sessionId?: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
  return { call, events, hangUp: () => socket.close() };
}
