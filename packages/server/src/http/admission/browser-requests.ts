/** Requests of browsers: the paths that pages of every origin may call, and event streams without a header. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Dialect, isUnder } from '../../routes/dialect.ts';

export const eventsPath = '/v1/events';

/**
 * Reports whether an EventSource of a browser opens the event stream. Images, scripts and navigations accept other types.
 */
export const isEventSource = ({ method, routeOptions, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && routeOptions.url === eventsPath && accept.includes('text/event-stream');

/** Returns the token in the address of the event stream. Other paths take none there. */
export function streamTokenOf({ routeOptions, query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return routeOptions.url === eventsPath && typeof token === 'string' ? token : undefined;
}

/** Returns a check whether a path is open to pages. */
export function pagePaths(dialects: readonly Dialect[]): (path: string) => boolean {
  const open = dialects.flatMap(({ isOpenToPages, prefixes }) => (isOpenToPages ? prefixes : []));
  return (path) => open.some((prefix) => isUnder(prefix, path));
}

/** Lets pages of every origin call these paths. Comes before all hooks that check origins or reject OPTIONS. */
export function openToPages(app: FastifyInstance, isForPages: (path: string) => boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!isForPages(path)) return done();
    // Without credentials: a browser sends no cookie there, and the token is the page's own.
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', 'x-request-id, retry-after');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done();
    reply
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', 'authorization, content-type, idempotency-key, mcp-protocol-version')
      .header('access-control-max-age', '600')
      .code(204)
      .send();
  });
}

/**
 * Reports whether a request comes from our own pages. Browsers send the origin of the page, and most also send
 * Sec-Fetch-Site. A proxy may have replaced the Host. Then only `publicUrl` identifies our pages.
 */
export function isOfOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl?: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === publicUrl) return true;
  return host !== undefined && [`http://${host}`, `https://${host}`].includes(origin);
}
