/** Mounts a route of the table on Fastify. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/caller.ts';
import { CallerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import { sendProblem } from './problem-details.ts';
import { inputReader } from './read-input.ts';
import type { Method, Route, RouteSpec } from './route.ts';

export function addRoute(
  app: FastifyInstance,
  route: Route,
  context: Context,
  admit: (request: FastifyRequest) => Promise<Caller>,
): void {
  const readInput = inputReader(route);
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const caller = await admit(request);
      const result = await route.handle(new CallerService(context, caller), readInput(request));
      reply.code(route.status).type('application/json; charset=utf-8');
      return JSON.stringify(result);
    },
  });
}

const methods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** A known path called by another method says which methods it has. */
export function refuseOtherMethods(app: FastifyInstance, specs: readonly RouteSpec[]): void {
  for (const url of new Set(specs.map(({ path }) => path))) {
    const offered = specs.filter(({ path }) => path === url).map(({ method }) => method);
    const others = methods.filter((method) => !offered.includes(method));
    app.route({
      method: [...others, 'PUT'],
      url,
      handler: async (request, reply) => {
        reply.header('allow', offered.join(', '));
        const detail = `${request.method} is not offered here; ${offered.join(' and ')} is.`;
        return sendProblem(reply, { code: 'method-not-allowed', detail });
      },
    });
  }
}
