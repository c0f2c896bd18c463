/** Lets pages of every origin call the paths that are made for them, and no others. */
import type { FastifyInstance } from 'fastify';
import { type Dialect, isUnder } from '../../routes/dialect.ts';

/** Whether a path is one of those that are made for pages. */
export function pagePaths(dialects: readonly Dialect[]): (path: string) => boolean {
  const open = dialects.flatMap(({ isOpenToPages, prefixes }) => (isOpenToPages ? prefixes : []));
  return (path) => open.some((prefix) => isUnder(prefix, path));
}

/** To be called before whatever else looks at origins or refuses OPTIONS. */
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
      .header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
      .header('access-control-max-age', '600')
      .code(204)
      .send();
  });
}
