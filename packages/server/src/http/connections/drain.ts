/**
 * Stops the HTTP server without resetting a connection. Closing at once would reset two kinds of connections: those
 * that look idle while a request is on its way, and those that the kernel has accepted but the server has not (80 of
 * 384 clients under load). So the server holds requests that arrive meanwhile, which keeps their callers from sending
 * more. When none arrive any longer, it closes the listener and answers the held requests.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Longer than a caller pauses between two calls, also on a busy machine. */
const defaultQuietMs = 500;
/** Callers that do not wait for responses could continue forever, and the whole stop has five seconds (H7). */
const longestMs = 1_500;

export function drainOnClose(app: FastifyInstance, quietMs = defaultQuietMs): void {
  const { server } = app;
  const closed = Promise.withResolvers<void>();
  let isClosing = false;
  let arrived = () => {};

  async function untilQuiet(): Promise<void> {
    const connections = await new Promise<number>((resolve) =>
      server.getConnections((_error, count) => resolve(count ?? 0)),
    );
    if (connections === 0) return;
    await new Promise<void>((resolve) => {
      const quiet = setTimeout(resolve, quietMs);
      setTimeout(resolve, longestMs).unref();
      arrived = () => quiet.refresh();
      server.on('connection', arrived);
    });
  }

  app.addHook('preClose', async () => {
    isClosing = true;
    await untilQuiet();
    // Fastify closes the listener in this turn of the event loop.
    setImmediate(closed.resolve);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isClosing) return done();
    arrived();
    closed.promise.then(() => done(new HoldpointError(stopping)));
  });
}

const stopping = {
  code: 'shutting-down',
  detail: 'The server is stopping. Retry in a moment.',
  retryAfterMs: 1_000,
} as const;

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
