/** Answers with what went wrong, in the words of whoever is spoken to. */
import { errorTable, type Fault } from '@holdpoint/protocol';
import type { FastifyReply } from 'fastify';
import { type Dialect, isUnder } from '../routes/dialect.ts';
import { problemType, renderProblem } from './problem-details.ts';

export type SendFault = (reply: FastifyReply, fault: Fault) => FastifyReply;

export function faultSender(dialects: readonly Dialect[]): SendFault {
  return (reply, fault) => {
    const { id, url, method, body: sent } = reply.request;
    const path = url.split('?', 1)[0] ?? '';
    const isOf = ({ prefixes, takes }: Dialect) =>
      prefixes.some((prefix) => isUnder(prefix, path)) && (takes?.({ method, path, body: sent }) ?? true);
    const dialect = dialects.find(isOf);
    const { status, contentType, body } = dialect ? inDialect(dialect, fault, id) : natively(fault, id);
    const { retryAfterMs } = fault;
    if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(status).header('x-request-id', id).header('content-type', contentType).send(body);
  };
}

const natively = (fault: Fault, id: string) => ({
  status: errorTable[fault.code].status as number,
  contentType: problemType,
  body: renderProblem(fault, id),
});

function inDialect({ renderFault }: Dialect, fault: Fault, id: string) {
  const { status, body } = renderFault(fault, id);
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
