/** Measures the delay between an answer and its webhook, on loopback and at low load. */
import type { BenchStore } from './bench-store.ts';
import { Connection } from './connection.ts';
import type { Latency } from './jobs.ts';
import type { Load } from './load.ts';
import { benchKey, createThread } from './request-bytes.ts';
import type { Row } from './rows.ts';
import { spawnHoldpoint } from './spawn-server.ts';

export interface WebhookTimes {
  /** After the answer's own response, which follows the commit too. */
  afterAnswer: Latency;
  /** From sending the answer: the commit lies within, so this bounds the time from the commit. */
  fromAnswerSent: Latency;
}

export async function measureWebhooks(
  store: BenchStore,
  load: Load,
  { durationMs }: { durationMs: number },
): Promise<{ times: WebhookTimes; row: Row }> {
  const place = await store.emptyPlace();
  const server = await spawnHoldpoint({ ...place, flags: [...place.flags, '--allow-private-webhooks'] });
  const connection = await Connection.open(server.port);
  const { id } = JSON.parse(await connection.ask(createThread(), 201)) as { id: string };
  connection.close();
  const job = { type: 'webhook-cycle' as const, port: server.port, key: benchKey, clients: 1, threadIds: [id] };
  await load.run({ ...job, durationMs: 1_000 });
  const { afterAnswer, fromAnswerSent } = await load.run({ ...job, durationMs });
  await server.stop();
  await place.remove();
  const { p50: p50Ms, p99: p99Ms } = fromAnswerSent;
  return {
    times: { afterAnswer, fromAnswerSent },
    row: { operation: 'answer sent → webhook received', clients: 1, stored: 0, p50Ms, p99Ms },
  };
}
