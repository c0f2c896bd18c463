/** Mounts a route of the table on Fastify. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CallerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import type { Admission } from './admission.ts';
import { inputReader } from './read-input.ts';
import type { Route } from './route.ts';

/** A route that may have nothing to give (204) says so by giving nothing. */
function answer(reply: FastifyReply, { status }: Route, result: unknown): FastifyReply {
  if (status === 204 || result === undefined) return reply.code(204).send();
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(result));
}

export function addRoute(app: FastifyInstance, route: Route, context: Context, { admit, callerOf }: Admission): void {
  const readInput = inputReader(route);
  app.route({
    method: route.method,
    url: route.path,
    onRequest: admit,
    // Not async: a suspended handler for each of ten thousand waiters would take a tenth of their memory.
    handler: (request, reply) => {
      const caller = callerOf(request);
      route.handle(new CallerService(context, caller), readInput(request, reply, caller)).then(
        (result) => answer(reply, route, result),
        (error) => reply.send(error),
      );
    },
  });
}
