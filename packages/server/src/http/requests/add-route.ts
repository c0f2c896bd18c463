/** Mounts a route of the table on Fastify. */
import { isObject } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import type { Route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';
import { atEndOfTurn } from '../connections/end-of-turn.ts';
import { linger } from '../connections/linger.ts';
import { type Reception, receiveFile } from '../files/receive-file.ts';
import { inputReader, routeService } from './read-input.ts';

/** A route that may have nothing to give (204) says so by giving nothing. */
function answer(reply: FastifyReply, { status }: Route, json: string | undefined): FastifyReply {
  if (status === 204 || json === undefined) return reply.code(204).send();
  return reply.code(status).type('application/json; charset=utf-8').send(json);
}

/** What a stranger may send before anybody asks who it is. */
const strangersBodyBytes = 65_536;

function admitting({ keyInBody }: Route, { admit, admitByBody }: Admission) {
  if (keyInBody === undefined) return { onRequest: admit };
  return { preHandler: admitByBody(keyInBody), bodyLimit: strangersBodyBytes };
}

export function addRoute(app: FastifyInstance, route: Route, context: Context, admission: Admission): void {
  if (route.takesFile) {
    addFileRoute(app, route, context, admission);
    return;
  }
  app.route({
    method: route.method,
    url: route.path,
    ...admitting(route, admission),
    handler: routeHandler(route, context, admission),
  });
}

/** Not async: a suspended handler for each of ten thousand waiters would take a tenth of their memory. */
export function routeHandler(route: Route, context: Context, { callerOf }: Admission) {
  const readInput = inputReader(route);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const caller = callerOf(request);
    const input = readInput(request, reply, caller);
    route.handle(routeService(context, route, input), input).then(
      (result) => {
        const json = JSON.stringify(result);
        atEndOfTurn(() => answer(reply, route, json));
      },
      (error) => reply.send(error),
    );
  };
}

/** Its body is of any type, and nobody but the route reads it; a refusal does not wait for the rest of it. */
function addFileRoute(app: FastifyInstance, route: Route, context: Context, admission: Admission): void {
  const { admit, callerOf, beginUpload } = admission;
  const readInput = inputReader(route);
  app.register(async (scope) => {
    if (route.takesFile !== 'or-json') scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.route({
      method: route.method,
      url: route.path,
      onRequest: admit,
      onSend: linger,
      handler: async (request, reply) => {
        const caller = callerOf(request);
        const input = readInput(request, reply, caller);
        if (isObject(request.body))
          return answer(reply, route, JSON.stringify(await route.handle(callerService(context, caller), input)));
        let reception: Reception | undefined;
        const breakOff = (fault: Error) => reception?.breakOff(fault);
        const over = beginUpload({ caller, address: request.ip, breakOff });
        try {
          reception = receiveFile(request);
          const service = callerService(context, caller);
          const result = await route.handle(service, { ...input, body: await reception.file });
          return answer(reply, route, JSON.stringify(result));
        } finally {
          reception?.end();
          over();
        }
      },
    });
  });
}
