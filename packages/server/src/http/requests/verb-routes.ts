/** Mounts the calls of the verb table. */
import { idNames, isObject, type VerbCall, verbCalls, verbSpecs } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { jsonVerb } from '../../operations/caller-service.ts';
import { checkedKey, problemsOf, queryReader, unsentNames } from '../../operations/check-input.ts';
import type { Context } from '../../operations/context.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import type { Route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';
import { atEndOfTurn } from '../connections/end-of-turn.ts';
import { addRoute } from './add-route.ts';
import { CallerGone } from './read-input.ts';

export function addVerbRoutes(app: FastifyInstance, context: Context, admission: Admission): void {
  for (const call of verbCalls) {
    const { takesFile, givesFile } = verbSpecs[call.verb];
    if (takesFile) addRoute(app, uploadRoute(call), context, admission);
    // `file-content.ts` mounts the download, which a link also opens.
    else if (!givesFile)
      app.route({
        method: call.method,
        url: call.path,
        onRequest: admission.admit,
        handler: verbHandler(call, context, admission),
      });
  }
}

/** Not async: a suspended handler for each of ten thousand waiters would take a tenth of their memory. */
function verbHandler(call: VerbCall, context: Context, { callerOf }: Admission) {
  const readInput = inputReader(call);
  const { call: callVerb, write } = jsonVerb(call.verb);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    callVerb(context, callerOf(request), readInput(request, reply)).then(
      (output) => {
        const json = write(output);
        atEndOfTurn(() => reply.code(call.status).type('application/json; charset=utf-8').send(json));
      },
      (error) => reply.send(error),
    );
  };
}

/**
 * Reads the input of a verb from a request, as one flat object. The service checks it. Here a request is rejected only where
 * the flat object would hide what is wrong: a property that the path or a header gives, or a part that the call does not take.
 */
function inputReader(call: VerbCall): (request: FastifyRequest, reply: FastifyReply) => object {
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

/** The query is checked before the file is read. */
const uploadRoute = ({ verb, method, path, summary, params, query, status }: VerbCall): Route => ({
  ...{ method, path, summary, params, status, isRemembered: false, takesFile: true },
  ...(query && { query }),
  handle(service, { params: ids, query: given, body }) {
    const upload = service[verb] as (input: object) => Promise<unknown>;
    return upload.call(service, { ...(ids as object), ...(given as object), ...(body as object) });
  },
});
