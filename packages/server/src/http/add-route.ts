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
    // Not async: a suspended handler for each of ten thousand waiters would take a tenth of their memory.
    handler: (request, reply) => {
      const service = new CallerService(context, callerOf(request));
      route.handle(service, readInput(request, reply)).then(
        (result) => reply.code(route.status).type('application/json; charset=utf-8').send(JSON.stringify(result)),
        (error) => reply.send(error),
      );
    },
  });
}
