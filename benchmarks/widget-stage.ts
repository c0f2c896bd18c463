/** A server, and a page of another origin that embeds the widget. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BenchStore } from './bench-store.ts';
import { benchKey } from './request-bytes.ts';
import { spawnHoldpoint } from './spawn-server.ts';

export interface Asked {
  attributes: string;
  interaction: object | undefined;
}

export interface WidgetStage {
  /** The address of a page with a heading, a text and this body. */
  host(body: string): string;
  /** The next report that the open page posts to `/report`. */
  nextReport<T>(): Promise<T>;
  scriptOf(name: string): string;
  /** Creates a thread, with this question if given, and returns the attributes of an element for it. */
  ask(question?: object): Promise<Asked>;
  close(): Promise<void>;
}

const pageWith = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
  <style>body { font: 1rem/1.5 system-ui, sans-serif; }</style>
  <body><h1>A page</h1><p>With a text of its own.</p>${body}</body>`;

export async function openWidgetStage(store: BenchStore): Promise<WidgetStage> {
  const place = await store.emptyPlace();
  const pages = new Map<string, string>();
  let take: ((report: unknown) => void) | undefined;
  // Does not intercept requests in the browser, because that would delay every timed request.
  const host = createServer(async (request, response) => {
    if (request.url === '/report') take?.(JSON.parse(await text(request as IncomingMessage)));
    const page = pages.get(request.url ?? '');
    const headers = { 'content-type': 'text/html; charset=utf-8', connection: 'close' };
    response.writeHead(page === undefined ? 404 : 200, headers).end(page);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const server = await spawnHoldpoint(place, ['--cors-origin', origin, '--responder-rate-limit', '0']);
  const url = `http://127.0.0.1:${server.port}`;

  async function call<T>(path: string, body: object): Promise<T> {
    const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  return {
    scriptOf: (name) => `${url}/widget/${name}.js`,
    host(body) {
      const path = `/${pages.size}`;
      pages.set(path, pageWith(body));
      return origin + path;
    },
    nextReport: <T>() =>
      new Promise<T>((resolve) => {
        take = resolve as (report: unknown) => void;
      }),
    async ask(question) {
      const { id: threadId } = await call<{ id: string }>('/threads', {});
      const interaction = question && (await call<object>(`/threads/${threadId}/interactions`, question));
      const { token } = await call<{ token: string }>('/responder-tokens', { responderId: 'ann', threadId });
      return { attributes: `thread="${threadId}" token="${token}"`, interaction };
    },
    async close() {
      host.close();
      await server.stop();
      await place.remove();
    },
  };
}
