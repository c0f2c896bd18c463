/** The warehouse of the story: it leaves its first caller without an answer, so that a worker can be killed at its work. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Shipment } from './ship.ts';

export async function openWarehouse() {
  const calls: Shipment[] = [];
  const arrivals = new Set<() => void>();
  const server = createServer(async (request, response) => {
    calls.push((await json(request)) as Shipment);
    if (calls.length > 1) response.end();
    for (const arrived of arrivals) arrived();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All calls, once they are enough. */
    async calls(areEnough: (calls: readonly Shipment[]) => boolean): Promise<readonly Shipment[]> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => areEnough(calls) && resolve();
      arrivals.add(look);
      look();
      await promise;
      return calls;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
