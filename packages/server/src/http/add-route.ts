/** Mounts a route of the table on Fastify. */
import type { FastifyInstance } from 'fastify';
import { CallerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import type { Admission } from './admission.ts';
import { inputReader } from './read-input.ts';
import type { Route } from './route.ts';

export function addRoute(app: FastifyInstance, route: Route, context: Context, { admit, callerOf }: Admission): void {
  const readInput = inputReader(route);
  app.route({
    method: route.method,
    url: route.path,
    onRequest: admit,
    handler: async (request, reply) => {
      const service = new CallerService(context, callerOf(request));
      const result = await route.handle(service, readInput(request));
      reply.code(route.status).type('application/json; charset=utf-8');
      return JSON.stringify(result);
    },
  });
}
