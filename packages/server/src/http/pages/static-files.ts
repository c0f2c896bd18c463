/** Files that were built once and never change while the server runs: read at their first call, compressed once. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fail } from '@holdpoint/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface StaticFile {
  name: string;
  content: Buffer;
  zipped: Buffer;
  etag: string;
}

export interface StaticFiles {
  /** Undefined where there is none of that name. */
  find(name: string): StaticFile | undefined;
  /** Refuses where there is none of that name. */
  send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply;
}

export interface StaticFilesOptions {
  /** Folders, of which the first that has a file counts. */
  places: readonly URL[];
  /** Beside those that every file has. */
  headers?: Readonly<Record<string, string>>;
  /** How long one that is not named by its content may be kept. */
  cacheControl: string;
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** Beside the bundle of the server; where that is built, for a server that runs from its sources. */
export const builtIn = (folder: string): URL[] =>
  [`./${folder}/`, `../../../dist/${folder}/`].map((path) => new URL(path, import.meta.url));

export function staticFiles({ places, headers = {}, cacheControl }: StaticFilesOptions): StaticFiles {
  const known = new Map<string, StaticFile>();

  function find(name: string): StaticFile | undefined {
    const read = known.get(name);
    if (read) return read;
    // By the file: a folder of the sources may be of the same name.
    const url = isFileName(name) && places.map((place) => new URL(name, place)).find(existsSync);
    if (!url) return undefined;
    const content = readFileSync(url);
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    const file = { name, content, zipped: gzipSync(content, { level: 9 }), etag };
    known.set(name, file);
    return file;
  }

  return {
    find,
    send(request, reply, name) {
      const file = find(name) ?? fail('route-not-found', 'There is no such file here.');
      reply.headers({ ...headersOf(file, cacheControl), ...headers });
      if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(file.content);
      return reply.header('content-encoding', 'gzip').send(file.zipped);
    },
  };
}

/** No folder, nothing hidden, and of a type that is served. */
const isFileName = (name: string): boolean =>
  /^[\w-]+(?:\.[\w-]+)*$/.test(name) && Object.hasOwn(types, extensionOf(name));

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const headersOf = ({ name, etag }: StaticFile, cacheControl: string): Record<string, string> => ({
  'content-type': types[extensionOf(name)] ?? 'application/octet-stream',
  'x-content-type-options': 'nosniff',
  'cache-control': isNamedByContent(name) ? 'public, max-age=31536000, immutable' : cacheControl,
  vary: 'accept-encoding',
  etag,
});

const isNamedByContent = (name: string): boolean => /-[\w-]{8}\.\w+$/.test(name);
