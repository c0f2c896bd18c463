/** Mounts the verbs of the verb table, and routes of dialects. */
import { idNames, isObject, type VerbCall, verbCalls, verbSpecs } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerService, jsonVerb } from '../../operations/caller-service.ts';
import { checkedKey, problemsOf, queryReader, unsentNames } from '../../operations/check-input.ts';
import type { Context } from '../../operations/context.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import type { Route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';
import { linger } from '../connections/drain.ts';
import { type Reception, receiveFile } from '../files/receive-file.ts';
import { CallerGone, inputReader, routeService } from './read-input.ts';

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
function sendWhenDone<T>(
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
  if (ready.push(send) > 1) return;
  setImmediate(() => {
    const sending = ready;
    ready = [];
    for (const send of sending) send();
  });
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

export function addVerbRoutes(app: FastifyInstance, context: Context, admission: Admission): void {
  for (const call of verbCalls) {
    const { method, path: url, verb } = call;
    if (verbSpecs[verb].takesFile) addRoute(app, uploadRoute(call), context, admission);
    // `file-content.ts` mounts the download, which a link also opens.
    else if (!verbSpecs[verb].givesFile)
      app.route({ method, url, onRequest: admission.admit, handler: verbHandler(call, context, admission) });
  }
}

function verbHandler(call: VerbCall, context: Context, { callerOf }: Admission) {
  const readInput = verbInputReader(call);
  const { call: callVerb, write } = jsonVerb(call.verb);
  return (request: FastifyRequest, reply: FastifyReply): void =>
    sendWhenDone(reply, call.status, callVerb(context, callerOf(request), readInput(request, reply)), write);
}

/**
 * Reads the input of a verb as one flat object, which the service checks. This rejects only requests whose problem the flat
 * object would hide: a property that belongs in the path or a header, or a part that the verb does not take.
 */
function verbInputReader(call: VerbCall): (request: FastifyRequest, reply: FastifyReply) => object {
  const { method, path, query, body, inputIn } = call;
  const { waits, takesOrigin } = verbSpecs[call.verb];
  const readQuery = queryReader(query);
  const own = (query ?? body)?.properties ?? {};
  const elsewhere = [...idNames(path), ...unsentNames.filter((name) => !Object.hasOwn(own, name))];
  return (request, reply) => {
    const { params, headers } = request;
    const query = readQuery(request.query as Record<string, unknown>);
    const sent = { params, query, body: request.body === undefined ? {} : request.body };
    const given = sent[inputIn];
    const other = sent[inputIn === 'query' ? 'body' : 'query'];
    if (
      !isObject(given) ||
      elsewhere.some((name) => Object.hasOwn(given, name)) ||
      (method !== 'GET' && hasProperty(other))
    ) {
      const problems = problemsOf(call, sent);
      if (problems.length > 0) throw invalidInput(problems);
    }
    const input: Record<string, unknown> = { ...(params as object), ...(given as object) };
    if (call.takesKey && headers['idempotency-key'] !== undefined)
      input.idempotencyKey = checkedKey(headers['idempotency-key']).idempotencyKey;
    if (waits) input.signal = new CallerGone(reply.raw);
    if (takesOrigin && headers.origin !== undefined) input.origin = headers.origin;
    return input;
  };
}

function hasProperty(value: unknown): boolean {
  if (!isObject(value)) return true;
  for (const _name in value) return true;
  return false;
}

/** Checks the query before it reads the file. */
const uploadRoute = ({ verb, method, path, summary, params, query, status }: VerbCall): Route => ({
  ...{ method, path, summary, params, status, isRemembered: false, takesFile: true },
  ...(query && { query }),
  handle(service, { params: ids, query: given, body }) {
    const upload = service[verb] as (input: object) => Promise<unknown>;
    return upload.call(service, { ...(ids as object), ...(given as object), ...(body as object) });
  },
});
