/** A server, a browser, and a page of another origin in which the widget is used, as somebody would embed it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, openBrowser, type Page } from '../packages/widget/test/open-browser.ts';
import type { BenchStore } from './bench-store.ts';
import { benchKey } from './request-bytes.ts';
import { spawnHoldpoint } from './spawn-server.ts';

export interface Asked {
  attributes: string;
  interaction: object | undefined;
}

export interface WidgetStage {
  /** A page with this body, in a browser that has nothing cached; `prepare` sees it before it loads. */
  open(body: string, prepare: (page: Page) => Promise<void>): Promise<Page>;
  scriptOf(name: string): string;
  /** A new thread with this question in it, if any, and the attributes by which an element reaches it. */
  ask(question?: object): Promise<Asked>;
  close(): Promise<void>;
}

export async function openWidgetStage(store: BenchStore): Promise<WidgetStage> {
  const place = await store.emptyPlace();
  const pages = new Map<string, string>();
  // No interception by the browser's protocol: it would take part in every request that is timed.
  const host = createServer((request, response) => {
    if (request.url === '/favicon.ico') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
    response.end(pages.get(request.url ?? '') ?? '');
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const server = await spawnHoldpoint(place, ['--cors-origin', origin, '--responder-rate-limit', '0']);
  const url = `http://127.0.0.1:${server.port}`;
  const browser: Browser = await openBrowser();

  async function call<T>(path: string, body: object): Promise<T> {
    const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  return {
    scriptOf: (name) => `${url}/widget/${name}.js`,
    async open(body, prepare) {
      const path = `/${pages.size}`;
      pages.set(path, `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><body>${body}</body>`);
      const page = await (await browser.newContext()).newPage();
      await prepare(page);
      await page.goto(origin + path, { waitUntil: 'commit' });
      return page;
    },
    async ask(question) {
      const { id: threadId } = await call<{ id: string }>('/threads', {});
      const interaction = question && (await call<object>(`/threads/${threadId}/interactions`, question));
      const { token } = await call<{ token: string }>('/responder-tokens', { responderId: 'ann', threadId });
      return { attributes: `thread="${threadId}" token="${token}"`, interaction };
    },
    async close() {
      await browser.close();
      host.close();
      await server.stop();
      await place.remove();
    },
  };
}
