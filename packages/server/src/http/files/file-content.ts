/** Sends a file or a range of it: GET /v1/files/{id}/content, also by a link, and the same call of a dialect. */
import { Readable } from 'node:stream';
import { HoldpointError, type OpenedFile, type StoredFile, type VerbCall, verbCalls } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import { openLinkedFile } from '../../operations/files/read-files.ts';
import type { Route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';
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
      // Null if the request has a link, which does not use it.
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

/** Mounts a route whose `handle` opens a file. A range needs a second call, because the first one returns the size. */
export function addDownloadRoute(
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
  // A download of an older content must not continue with this one.
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

/** Types that a browser shows without running anything. SVG, HTML and types with their own viewer are not among them. */
const inline = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp', 'image/avif', 'text/plain'];

const etagOf = ({ sha256 }: StoredFile): string => `"${sha256}"`;

/** Headers of a file that a user uploaded. */
function contentHeaders(file: StoredFile): Record<string, string> {
  const { name, mime } = file;
  // Serves pages, scripts and styles as text, so that a browser does not run them.
  const isReadAsText = mime.startsWith('text/') && mime !== 'text/csv';
  return {
    'content-type': isReadAsText ? 'text/plain; charset=utf-8' : mime,
    'content-disposition': disposition(inline.includes(mime) ? 'inline' : 'attachment', name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: etagOf(file),
  };
}

/** RFC 6266: the name, and an ASCII name for clients that cannot read it. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

interface ByteRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/**
 * Reads a Range header (RFC 9110). Undefined: the whole file, also for several ranges or an invalid header. none: the file
 * has none of the bytes.
 */
function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return between(size - Number(last), size, size);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return between(Number(first), last === '' ? size : Number(last) + 1, size);
}

function between(from: number, to: number, size: number): ByteRange | 'none' {
  const range = { from: Math.max(from, 0), to: Math.min(to, size) };
  return range.from < range.to ? range : 'none';
}
