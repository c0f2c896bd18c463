/** From spawning the process to its first successful answer, a stored thread, on an empty folder. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import { createThread } from './request-bytes.ts';
import { spawnHoldpoint } from './spawn-server.ts';

export async function measureStart({ scratch, times }: { scratch: string; times: number }): Promise<number[]> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const folder = mkdtempSync(join(scratch, 'start-'));
    const startedAt = performance.now();
    const server = await spawnHoldpoint(folder);
    const connection = await Connection.open(server.port);
    await connection.ask(createThread(), 201);
    taken.push(performance.now() - startedAt);
    connection.close();
    await server.stop();
  }
  return taken;
}
