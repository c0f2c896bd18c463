/** Passes calls on to a server and counts them, so that a test knows that an agent has got there. */
import { once } from 'node:events';
import { request as call, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WatchedCalls extends AsyncDisposable {
  url: string;
  count: number;
}

export async function watchCalls(to: string): Promise<WatchedCalls> {
  const { hostname, port } = new URL(to);
  const server = createServer((incoming, outgoing) => {
    watched.count += 1;
    const { method, url: path, headers } = incoming;
    const passed = call({ hostname, port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    // Who is killed hangs up on one side, who is stopped on the other.
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const watched: WatchedCalls = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return watched;
}
