/** The scripts of the widget, as they were built: for pages of any origin, compressed once. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fail } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';

/** Beside the bundle of the server, or where it is built, for a server that runs from its sources. */
const folder = ['./widget/', '../../dist/widget/'].map((path) => new URL(path, import.meta.url)).find(existsSync);

interface File {
  text: Buffer;
  zipped: Buffer;
  etag: string;
}

export function addWidgetFiles(app: FastifyInstance): void {
  const files = new Map<string, File>();
  const fileOf = (name: string): File => {
    const known = files.get(name);
    if (known) return known;
    const path = folder && /^[\w-]+\.js$/.test(name) ? new URL(name, folder) : undefined;
    if (!path || !existsSync(path)) return fail('route-not-found', 'There is no such script of the widget.');
    const text = readFileSync(path);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const file = { text, zipped: gzipSync(text, { level: 9 }), etag };
    files.set(name, file);
    return file;
  };
  app.get('/widget/:file', async (request, reply) => {
    const { file: name } = request.params as { file: string };
    const { text, zipped, etag } = fileOf(name);
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      // A module is fetched by the rules of CORS, and these hold no secret.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': isNamedByContent(name) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      vary: 'accept-encoding',
      etag,
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(zipped);
  });
}

const isNamedByContent = (name: string): boolean => /-[\w-]{8}\.js$/.test(name);
