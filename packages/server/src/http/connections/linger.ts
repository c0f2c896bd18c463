/** Lets a client that is still sending read the response. Closing the connection at once would discard the response. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A client that is still sending after this time does not read. */
const lingerMs = 2_000;

/** A hook that sends the response, discards the rest of the request, and then closes the connection. */
export async function linger({ raw }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (raw.complete || raw.destroyed || typeof payload !== 'string') return payload;
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
  return Readable.from(sendAndWait(payload, raw), { objectMode: false });
}

/**
 * Does the same on every route if the response closes the connection: a body that is too large or malformed, a stopping
 * server.
 */
export const lingerBeforeClose = async (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => (reply.getHeader('connection') === 'close' ? linger(request, reply, payload) : payload);

async function* sendAndWait(payload: string, raw: IncomingMessage): AsyncIterable<Buffer> {
  yield Buffer.from(payload);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, lingerMs);
    function done() {
      clearTimeout(timer);
      raw.off('end', done).off('close', done);
      resolve();
    }
    raw.on('end', done).on('close', done).resume();
  });
}
