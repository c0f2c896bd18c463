/** Mounts a route on Fastify. */
import { isObject } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import type { Route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';
import { linger } from '../connections/linger.ts';
import { type Reception, receiveFile } from '../files/receive-file.ts';
import { inputReader, routeService } from './read-input.ts';

/** Size limit of a body that is read before its caller is known. */
const unknownCallersBodyBytes = 65_536;

export function addRoute(app: FastifyInstance, route: Route, context: Context, admission: Admission): void {
  const { method, path: url, keyInBody } = route;
  const admitting =
    keyInBody === undefined
      ? { onRequest: admission.admit }
      : { preHandler: admission.admitByBody(keyInBody), bodyLimit: unknownCallersBodyBytes };
  if (route.takesFile) addUploadRoute(app, route, context, admission);
  else app.route({ method, url, ...admitting, handler: routeHandler(route, context, admission) });
}

export function routeHandler(route: Route, context: Context, { callerOf }: Admission) {
  const readInput = inputReader(route);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const input = readInput(request, reply, callerOf(request));
    const result = route.handle(routeService(context, route, input), input);
    sendWhenDone(reply, route.status, result, JSON.stringify);
  };
}

/** Sends a result as JSON. Not async: a suspended handler for each of ten thousand waits takes a tenth of their memory. */
export function sendWhenDone<T>(
  reply: FastifyReply,
  status: number,
  result: Promise<T>,
  write: (result: T) => string | undefined,
): void {
  result.then(
    (value) => {
      const json = write(value);
      atEndOfTurn(() => answer(reply, status, json));
    },
    (error) => reply.send(error),
  );
}

let ready: (() => void)[] = [];

/**
 * Sends all responses of one event-loop turn together. Separate writes wake a client on the same machine, such as a
 * proxy, once each, which costs more than the read.
 */
function atEndOfTurn(send: () => void): void {
  if (ready.push(send) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const sending = ready;
  ready = [];
  for (const send of sending) send();
}

/** Responds 204 also if a route has no result this time. */
function answer(reply: FastifyReply, status: number, json: string | undefined): FastifyReply {
  if (status === 204 || json === undefined) return reply.code(204).send();
  return reply.code(status).type('application/json; charset=utf-8').send(json);
}

/** Leaves the body to the route, whatever its type. An error response does not wait for the rest of the body. */
function addUploadRoute(app: FastifyInstance, route: Route, context: Context, admission: Admission): void {
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
        const service = callerService(context, caller);
        if (isObject(request.body))
          return answer(reply, route.status, JSON.stringify(await route.handle(service, input)));
        let reception: Reception | undefined;
        const breakOff = (fault: Error) => reception?.breakOff(fault);
        const end = beginUpload({ caller, address: request.ip, breakOff });
        try {
          reception = receiveFile(request);
          const result = await route.handle(service, { ...input, body: await reception.file });
          return answer(reply, route.status, JSON.stringify(result));
        } finally {
          reception?.end();
          end();
        }
      },
    });
  });
}
