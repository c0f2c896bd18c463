/** Calls the server without a socket, in the words of fetch. */
import { Readable } from 'node:stream';
import type { FastifyInstance, HTTPMethods } from 'fastify';

export type InProcessFetch = (url: string, init?: RequestInit) => Promise<Response>;

export function inProcessFetch(app: FastifyInstance): InProcessFetch {
  return async (url, init) => {
    const request = new Request(url, init);
    // As bytes: read as text, a file would come out different.
    const body = Buffer.from(await request.arrayBuffer());
    const reply = await app.inject({
      method: request.method as HTTPMethods,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      ...(body.byteLength === 0 ? {} : { payload: body }),
      payloadAsStream: true,
      signal: request.signal,
    });
    const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, String(one)] as [string, string]),
    );
    const stream = Readable.toWeb(reply.stream()) as ReadableStream;
    return new Response(reply.statusCode === 204 ? null : stream, { status: reply.statusCode, headers });
  };
}
