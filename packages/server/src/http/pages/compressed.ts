/** A text or file that is compressed once, and sent as the caller accepts it. A caller that has it already gets 304. */
import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Compressed {
  content: Buffer;
  gzip: Buffer;
  br: Buffer;
  etag: string;
}

/** As small as the highest quality but for a tenth, in a fiftieth of the time. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };

export function compress(given: Buffer | string): Compressed {
  const content = Buffer.from(given);
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
  return { content, gzip: gzipSync(content, { level: 9 }), br: brotliCompressSync(content, { params }), etag };
}

export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { content, etag, ...zipped }: Compressed,
): FastifyReply {
  reply.headers({ vary: 'accept-encoding', etag });
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = String(headers['accept-encoding']);
  const encoding = (['br', 'gzip'] as const).find((each) =>
    new RegExp(`\\b${each}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  );
  if (!encoding) return reply.send(content);
  return reply.header('content-encoding', encoding).send(zipped[encoding]);
}
