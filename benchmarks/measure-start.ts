/** Time from spawning the process until the first stored thread, on an empty store. */
import { performance } from 'node:perf_hooks';
import type { BenchStore } from './bench-store.ts';
import { Connection } from './connection.ts';
import { createThread } from './request-bytes.ts';
import { spawnHoldpoint } from './spawn-server.ts';

export async function measureStart(store: BenchStore, times: number): Promise<number[]> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const place = await store.emptyPlace();
    const startedAt = performance.now();
    const server = await spawnHoldpoint(place);
    const connection = await Connection.open(server.port);
    await connection.ask(createThread(), 201);
    taken.push(performance.now() - startedAt);
    connection.close();
    await server.stop();
    await place.remove();
  }
  return taken;
}
