/**
 * Serves the app by fetch, without a listener: each request has its own connection inside this process. Both ends use real
 * HTTP, so streams, limits and closed connections are those of a server that listens.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { Duplex, Readable, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { FetchHandler } from './fetch-handler.ts';

/** Headers of one connection. The framework and this server have separate connections. */
const aboutTheConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'trailer'],
  ...['upgrade', 'http2-settings', 'expect'],
];
/** Requests no compressed response, because Next.js drops its `content-encoding` and compresses it again. */
const notPassedIn = new Set([...aboutTheConnection, 'accept-encoding']);
const notPassedOut = new Set(aboutTheConnection);
/** A shorter response frees its connection even if nobody reads it. */
const readAheadBytes = 65_536;
/** The status that proxies log for a request whose caller is gone. */
const callerGone = 499;
const statusesWithoutBody = [204, 205, 304];

/** The app has to be ready. */
export function fetchServer(app: Pick<FastifyInstance, 'server'>) {
  const open = new Map<Duplex, Promise<void>>();

  function connect(address: unknown): Duplex {
    const { client, server } = socketPair(typeof address === 'string' ? address : undefined);
    const closed = Promise.withResolvers<void>();
    open.set(client, closed.promise);
    server.once('close', () => {
      open.delete(client);
      closed.resolve();
    });
    app.server.emit('connection', server);
    return client;
  }

  const fetch: FetchHandler = (request, options) => send(request, () => connect(options?.address));

  return {
    fetch,
    /** Resolves when every connection is closed. Cuts off connections that are still open after that time. */
    async close(atMostMs: number): Promise<void> {
      const cutOff = setTimeout(() => {
        for (const client of open.keys()) client.destroy();
      }, atMostMs);
      await Promise.all(open.values());
      clearTimeout(cutOff);
    },
  };
}

async function send(
  { url, method, headers, body, signal }: Request,
  createConnection: () => Duplex,
): Promise<Response> {
  const { host, pathname, search } = new URL(url);
  const given = Object.fromEntries([...headers].filter(([name]) => !notPassedIn.has(name)));
  const framing = body && given['content-length'] === undefined ? { 'transfer-encoding': 'chunked' } : {};
  const outgoing = httpRequest({
    ...{ createConnection, method, signal, path: pathname + search },
    headers: { host, ...given, ...framing },
  });
  const response = new Promise<Response>((resolve, reject) => {
    outgoing.on('response', (incoming) => resolve(responseOf(incoming, method)));
    outgoing.on('error', (error) => {
      // Nobody reads this response. An error would make a framework log each caller that is gone.
      if (signal.aborted) resolve(new Response(null, { status: callerGone }));
      else reject(error);
    });
  });
  if (body)
    sendBody(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing, given['content-length']);
  else outgoing.end();
  return response;
}

/** Never cancels a body, because that would close the connection on which the response is still being sent. */
function sendBody(body: Readable, outgoing: ClientRequest, announced: string | undefined): void {
  const cutOff = (error: Error) => outgoing.destroy(error);
  body.on('error', cutOff);
  if (announced === undefined) body.pipe(outgoing);
  else
    body
      .pipe(asAnnounced(Number(announced)))
      .on('error', cutOff)
      .pipe(outgoing);
}

/** Checks the length. The server would read the rest of a longer body as another request, and wait for a shorter one. */
function asAnnounced(length: number): Transform {
  const mismatch = () => new Error(`The body does not have the ${length} bytes of its content-length.`);
  let seen = 0;
  return new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      seen += piece.byteLength;
      if (seen > length) done(mismatch());
      else done(null, piece);
    },
    flush: (done) => done(seen === length ? null : mismatch()),
  });
}

function responseOf(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 500, rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!notPassedOut.has(name.toLowerCase())) headers.append(name, value);
  }
  const hasBody = method !== 'HEAD' && !statusesWithoutBody.includes(status);
  if (!hasBody) incoming.resume();
  return new Response(hasBody ? bodyOf(incoming) : null, { status, headers });
}

/** Reads no faster than the caller. Cancelling it closes the connection. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Buffer> = incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void incoming.destroy(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: readAheadBytes }),
  );
}

/** The server end has the address of the client, like the socket of a listening server. */
export function socketPair(remoteAddress: string | undefined): { client: Duplex; server: Duplex } {
  const client = new End();
  const server = Object.assign(new End(), { remoteAddress });
  client.connect(server);
  server.connect(client);
  // The server must notice at once that its caller is gone, even while it reads no body. The client still reads the last data.
  client.once('close', () => server.destroy());
  return { client, server };
}

class End extends Duplex {
  #other: End | undefined;
  /** Ends the write of the other end, which waits until this end is read. */
  #taken: (() => void) | undefined;

  connect(other: End): void {
    this.#other = other;
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#pass(chunk, done);
  }

  override _final(done: () => void): void {
    this.#pass(null, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this._read();
    this.#pass(null, () => {});
    done(error);
  }

  #pass(chunk: Buffer | null, done: () => void): void {
    const other = this.#other;
    if (other) other.#give(chunk, done);
    else done();
  }

  #give(chunk: Buffer | null, done: () => void): void {
    if (this.destroyed || this.push(chunk) || chunk === null) done();
    else this.#taken = done;
  }
}
