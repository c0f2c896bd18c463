/**
 * Stops the HTTP server without resetting a connection. Closing at once would reset two kinds of connections: those
 * that look idle while a request is on its way, and those that the kernel has accepted but the server has not (80 of
 * 384 clients under load). So the server holds requests that arrive meanwhile, which keeps their callers from sending
 * more. When none arrive any longer, it closes the listener and answers the held requests.
 */
import { HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';

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
  detail: 'The server is stopping; try again in a moment.',
  retryAfterMs: 1_000,
} as const;
