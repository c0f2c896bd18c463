/** Responds with a fault: as an RFC 9457 problem, or as the dialect of the called route renders it. */
import { defined, errorTable, type Fault, HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Dialect, isUnder, type RenderFault } from '../../routes/dialect.ts';
import { opensPage, sendNotFoundPage } from '../pages/not-found-page.ts';

/** Lets the dialect that takes a call render the faults of the routes of this scope. */
export function renderFaultsBy(scope: FastifyInstance, dialectOf: (request: FastifyRequest) => Dialect): void {
  scope.setErrorHandler((error, request, reply) =>
    sendFault(reply, toFault(error, request), dialectOf(request).renderFault),
  );
}

/** Handles all other faults: those of native routes, and of calls that reach no route, under the path of a dialect or elsewhere. */
export function otherFaults(dialects: readonly Dialect[]) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isRouted = request.routeOptions?.url !== undefined;
    const fault = toFault(error, request);
    const dialect = isRouted ? undefined : nearest(dialects, request);
    const isOfApi = dialect !== undefined || isUnder('/v1', callOf(request).path);
    if (fault.code === 'route-not-found' && !isOfApi && opensPage(request)) return sendNotFoundPage(reply);
    return sendFault(reply, fault, dialect?.renderFault);
  };
}

function nearest(dialects: readonly Dialect[], request: FastifyRequest): Dialect | undefined {
  const call = callOf(request);
  return dialects.find(
    ({ prefixes, takes }) => prefixes.some((prefix) => isUnder(prefix, call.path)) && (takes?.(call) ?? true),
  );
}

/**
 * Rejects unknown paths with 404, and unknown methods of a path with 405, before a body is read. Comes before the routes
 * are added, so that it sees them all.
 */
export function rejectUnknownRoutes(app: FastifyInstance): void {
  const known = new Map<string, { pattern: RegExp; methods: string[] }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`);
    const entry = known.get(url) ?? { pattern, methods: [] };
    known.set(url, entry);
    entry.methods.push(...[method].flat());
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const { method, path } = callOf(request);
    const found = [...known.values()].filter(({ pattern }) => pattern.test(path));
    if (found.length === 0)
      return done(new HoldpointError({ code: 'route-not-found', detail: 'This route does not exist. See /docs.' }));
    // Several routes can match one path, such as /v1/interactions/count and /v1/interactions/:interactionId.
    const allow = [...new Set(found.flatMap(({ methods }) => methods))].join(', ');
    reply.header('allow', allow);
    const detail = `${method} is not offered here; offered: ${allow}.`;
    done(new HoldpointError({ code: 'method-not-allowed', detail }));
  });
}

export const callOf = ({ method, url, body }: FastifyRequest) => ({ method, path: url.split('?', 1)[0] ?? '', body });

function sendFault(reply: FastifyReply, fault: Fault, render: RenderFault = natively): FastifyReply {
  const { id } = reply.request;
  const { status, body, contentType = 'application/json; charset=utf-8' } = render(fault, id);
  const { retryAfterMs } = fault;
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return reply.code(status).header('x-request-id', id).header('content-type', contentType).send(text);
}

const natively: RenderFault = (fault, id) => ({
  status: errorTable[fault.code].status,
  contentType: problemType,
  body: renderProblem(fault, id),
});

export const problemType = 'application/problem+json; charset=utf-8';

export function renderProblem({ code, detail, problems, current }: Fault, requestId: string): string {
  const { status, title, retryable } = errorTable[code];
  return JSON.stringify({
    type: `/docs#error-${code}`,
    title,
    status,
    code,
    detail,
    retryable,
    instance: requestId,
    ...defined({ errors: problems, current }),
  });
}

/** Errors of Fastify itself. */
const frameworkFaults: Record<string, Fault> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body-too-large', detail: 'The body is larger than this server accepts.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    detail: 'Send JSON with the content type application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed-body',
    detail: 'The body does not have the length of its content-length.',
  },
  FST_ERR_BAD_URL: { code: 'route-not-found', detail: 'The path is not a valid URL path.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'route-not-found', detail: 'A part of the path is too long.' },
};

export function toFault(error: unknown, request: FastifyRequest): Fault {
  if (error instanceof HoldpointError) {
    const { status } = errorTable[error.code];
    if (status >= 500 && error.code !== 'shutting-down')
      request.log.error({ reqId: request.id, err: error, cause: error.cause }, error.fault.detail);
    return error.fault;
  }
  const known = error instanceof Error && 'code' in error ? frameworkFaults[String(error.code)] : undefined;
  if (known) return known;
  // A caller that closed the connection while sending its body never reads this, and it is not worth a log line.
  if (request.raw.destroyed && !request.raw.complete)
    return { code: 'malformed-body', detail: 'The body ended too early.' };
  request.log.error({ reqId: request.id, err: error }, 'unforeseen');
  return { code: 'internal', detail: `Something went wrong. Look for ${request.id} in the log of the server.` };
}
