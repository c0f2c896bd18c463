/** Gives each test of a file its own data, and stops every server that a test leaves running. */
import { afterEach, beforeEach } from 'vitest';
import type { DataPlace } from './data-place.ts';
import { newPlace } from './new-place.ts';
import { type SpawnedServer, type SpawnOptions, spawnServer } from './spawned-server.ts';

export function serversOfATest() {
  let place: DataPlace;
  const servers = {
    get place(): DataPlace {
      return place;
    },
    /** The server is killed after the test. */
    running: new Set<{ kill(signal: NodeJS.Signals): unknown }>(),
    async start(options: Omit<SpawnOptions, 'place'> = {}): Promise<SpawnedServer> {
      const server = await spawnServer({ place, ...options });
      servers.running.add(server);
      return server;
    },
  };
  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(async () => {
    for (const server of servers.running) await server.kill('SIGKILL');
    servers.running.clear();
    await place[Symbol.asyncDispose]();
  });
  return servers;
}
