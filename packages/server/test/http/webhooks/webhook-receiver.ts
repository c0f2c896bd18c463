/** An endpoint on loopback that remembers what it was sent, and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
  at: number;
}

/** A status, or what else to do with the response; nothing: 200. */
export type Answering = (
  received: Received,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>;

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  answer: Answering;
  /** Cuts every connection and listens no more. */
  die(): Promise<void>;
  /** Listens again, where it did before. */
  live(): Promise<void>;
  /** What was received, as it says itself. */
  events<T = WebhookBody>(): T[];
}

export interface WebhookBody {
  type: string;
  timestamp: string;
  data: { cursor: string; threadId: string; seq: number; type: string; data: Record<string, unknown> } & Record<
    string,
    unknown
  >;
}

export async function startReceiver(answer: Answering = () => 200): Promise<Receiver> {
  let server: Server | undefined;
  let port = 0;
  const receiver: Receiver = {
    url: '',
    received: [],
    answer,
    async live() {
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of request) chunks.push(chunk as Buffer);
        } catch {
          return;
        }
        const received = {
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
          path: request.url ?? '',
          at: performance.now(),
        };
        receiver.received.push(received);
        const status = await receiver.answer(received, response);
        if (status !== undefined && !response.writableEnded) response.writeHead(status).end();
      });
      await new Promise<void>((resolve, reject) =>
        server?.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
      );
      port = (server.address() as AddressInfo).port;
      receiver.url = `http://127.0.0.1:${port}/hook`;
    },
    async die() {
      const dying = server;
      server = undefined;
      if (!dying) return;
      const closed = new Promise((resolve) => dying.close(resolve));
      dying.closeAllConnections();
      await closed;
    },
    events: <T>() => receiver.received.map(({ body }) => JSON.parse(body) as T),
    [Symbol.asyncDispose]: () => receiver.die(),
  };
  await receiver.live();
  return receiver;
}
