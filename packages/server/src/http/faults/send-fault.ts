/** Answers with a fault: as an RFC 9457 problem, or as the dialect of the called route renders it. */
import { errorTable, type Fault } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Dialect, isUnder, type RenderFault } from '../../routes/dialect.ts';
import { problemType, renderProblem, toFault } from './problem-details.ts';

/** Faults of the routes of this instance are rendered by the dialect that takes the call. */
export function renderFaultsBy(scope: FastifyInstance, dialectOf: (request: FastifyRequest) => Dialect): void {
  scope.setErrorHandler((error, request, reply) =>
    sendFault(reply, toFault(error, request), dialectOf(request).renderFault),
  );
}

/** All other faults: of native routes, and of calls that reach no route, below the path of a dialect or elsewhere. */
export function otherFaults(dialects: readonly Dialect[]) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isRouted = request.routeOptions?.url !== undefined;
    return sendFault(reply, toFault(error, request), isRouted ? undefined : nearest(dialects, request)?.renderFault);
  };
}

function nearest(dialects: readonly Dialect[], request: FastifyRequest): Dialect | undefined {
  const call = callOf(request);
  return dialects.find(
    ({ prefixes, takes }) => prefixes.some((prefix) => isUnder(prefix, call.path)) && (takes?.(call) ?? true),
  );
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
