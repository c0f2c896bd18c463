/** Sends the bytes of a file, or a range of them: GET /v1/files/{id}/content, also by a link, and the same call of a dialect. */
import { Readable } from 'node:stream';
import { HoldpointError, type OpenedFile, type VerbCall, verbCalls } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import { openLinkedFile } from '../../operations/files/read-files.ts';
import type { Route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';
import { contentHeaders, etagOf } from '../content-headers.ts';
import { rangeOf } from '../range.ts';
import { inputReader, routeService } from '../requests/read-input.ts';

const downloadCall = verbCalls.find(({ verb }) => verb === 'openFile') as VerbCall;

interface LinkQuery {
  org?: string;
  expires?: number;
  signature?: string;
}

type Open = (range: { from?: number; to?: number }) => Promise<OpenedFile>;

export function addFileContent(app: FastifyInstance, context: Context, { admit }: Admission): void {
  const readInput = inputReader(downloadCall);
  app.route({
    method: ['GET', 'HEAD'],
    url: downloadCall.path,
    onRequest: (request, reply, done) => (isLink(request) ? done() : admit(request, reply, done)),
    handler: async (request, reply) => {
      // Of a link nobody knows who follows it.
      const caller = request.caller as Caller;
      const { params, query } = readInput(request, reply, caller);
      const { fileId } = params as { fileId: string };
      const { org, expires, signature } = query as LinkQuery;
      const link = isLink(request) && { orgId: org ?? '', fileId, expires: expires ?? 0, signature: signature ?? '' };
      return send(request, reply, (range) =>
        link ? openLinkedFile(context, link, range) : callerService(context, caller).openFile({ fileId, ...range }),
      );
    },
  });
}

/** Mounts a route whose `handle` opens a file. It is called a second time for a range, because the size is known only then. */
export function addFileRoute(
  app: FastifyInstance,
  route: Route,
  context: Context,
  { admit, callerOf }: Admission,
): void {
  const readInput = inputReader(route);
  app.route({
    method: ['GET', 'HEAD'],
    url: route.path,
    onRequest: admit,
    handler: async (request, reply) => {
      const input = readInput(request, reply, callerOf(request));
      const service = routeService(context, route, input);
      return send(request, reply, (range) => route.handle(service, { ...input, range }) as Promise<OpenedFile>);
    },
  });
}

const isLink = ({ query }: FastifyRequest): boolean => Object.hasOwn(query as object, 'signature');

async function send({ method, headers }: FastifyRequest, reply: FastifyReply, open: Open): Promise<FastifyReply> {
  const { file, content } = await open({});
  const etag = etagOf(file);
  reply.headers(contentHeaders(file));
  if (headers['if-none-match']?.split(',').some((each) => each.trim() === etag)) return reply.code(304).send();
  // What was begun with another content is not gone on with.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = isSame ? rangeOf(headers.range, file.size) : undefined;
  if (range === 'none') {
    reply.header('content-range', `bytes */${file.size}`);
    throw new HoldpointError({ code: 'range-not-satisfiable', detail: `The file has ${file.size} bytes.` });
  }
  const { from = 0, to = file.size } = range ?? {};
  if (range) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${file.size}`);
  reply.header('content-length', to - from);
  if (method === 'HEAD') return reply.send();
  return reply.send(Readable.from(range ? (await open(range)).content : content, { objectMode: false }));
}
