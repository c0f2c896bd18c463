/** Refuses what no route takes: a path nobody knows with 404, another method of a known one with 405 and what it has. */
import { HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';

/** To be called before the routes are added, so that it sees them all; refuses before a body is read. */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const known = new Map<string, { pattern: RegExp; methods: string[] }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`);
    const entry = known.get(url) ?? { pattern, methods: [] };
    known.set(url, entry);
    entry.methods.push(...[method].flat());
  });
  const refusal = (method: string, path: string) => {
    const found = [...known.values()].filter(({ pattern }) => pattern.test(path));
    if (found.length === 0)
      return { error: new HoldpointError({ code: 'route-not-found', detail: 'There is nothing here; see /docs.' }) };
    // Of several, as /v1/interactions/count and /v1/interactions/:interactionId are for one path, all are offered.
    const allow = [...new Set(found.flatMap(({ methods }) => methods))].join(', ');
    const detail = `${method} is not offered here; offered: ${allow}.`;
    return { allow, error: new HoldpointError({ code: 'method-not-allowed', detail }) };
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const { error, allow } = refusal(request.method, request.url.split('?', 1)[0] ?? '');
    if (allow) reply.header('allow', allow);
    done(error);
  });
}
