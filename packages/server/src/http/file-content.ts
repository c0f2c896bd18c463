/** Sends the bytes of a file, or a range of them: GET /v1/files/{id}/content, also by a link, and the same call of a dialect. */
import { Readable } from 'node:stream';
import { HoldpointError, limits, type OpenedFile } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../domain/caller.ts';
import type { Context } from '../operations/context.ts';
import { openFile, openLinkedFile } from '../operations/files/read-files.ts';
import type { Route, RouteSpec } from '../routes/route.ts';
import { FileParams } from '../routes/schemas.ts';
import type { Admission } from './admission.ts';
import { contentHeaders, etagOf } from './content-headers.ts';
import { rangeOf } from './range.ts';
import { inputReader, routeService } from './read-input.ts';

const Text = Type.String({ minLength: 1, maxLength: limits.idLength });

export const fileContentRoute: RouteSpec = {
  operationId: 'openFile',
  method: 'GET',
  path: '/v1/files/:fileId/content',
  tag: 'Files',
  summary: 'Download a file',
  description:
    'With a key or token, or by a link, whose query has all three of org, expires and signature. Takes Range, If-Range and If-None-Match. Only pictures and plain text are shown by a browser; everything else is downloaded.',
  params: FileParams,
  query: Type.Object(
    {
      org: Type.Optional(Text),
      expires: Type.Optional(Type.Integer({ minimum: 0 })),
      signature: Type.Optional(Text),
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: Type.String({ format: 'binary' }),
  gives: 'application/octet-stream',
};

interface LinkQuery {
  org?: string;
  expires?: number;
  signature?: string;
}

type Open = (range: { from?: number; to?: number }) => Promise<OpenedFile>;

export function addFileContent(app: FastifyInstance, context: Context, { admit }: Admission): void {
  const readInput = inputReader(fileContentRoute);
  app.route({
    method: ['GET', 'HEAD'],
    url: fileContentRoute.path,
    onRequest: (request, reply, done) => (isLink(request) ? done() : admit(request, reply, done)),
    handler: async (request, reply) => {
      // Of a link nobody knows who follows it.
      const caller = request.caller as Caller;
      const { params, query } = readInput(request, reply, caller);
      const { fileId } = params as { fileId: string };
      const { org, expires, signature } = query as LinkQuery;
      const link = isLink(request) && { orgId: org ?? '', fileId, expires: expires ?? 0, signature: signature ?? '' };
      return send(request, reply, (range) =>
        link ? openLinkedFile(context, link, range) : openFile(context, caller, { fileId, ...range }),
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
