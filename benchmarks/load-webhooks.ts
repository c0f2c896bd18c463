/** The endpoint of the load generator: it answers at once, and knows when it was told of which interaction. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import type { WebhookCycleJob } from './jobs.ts';
import { create, createWebhook, deleteWebhook, giveAnswer } from './request-bytes.ts';

/** Until the store has come to rest after the question was asked. */
const restMs = 20;

/** Asks, answers, and the webhook arrives. Gives the times from the answer's sending and from its response. */
export async function webhookCycle({ port, threadIds, durationMs }: WebhookCycleJob) {
  const endpoint = await openEndpoint();
  const asker = await Connection.open(port);
  const { id: webhookId } = JSON.parse(await asker.ask(createWebhook(endpoint.url), 201)) as { id: string };
  const times = { fromAnswerSent: [] as number[], afterAnswer: [] as number[] };
  const startedAt = performance.now();
  for (let n = 0; performance.now() - startedAt < durationMs; n++) {
    const created = await asker.ask(create(threadIds[n % threadIds.length] ?? ''), 201);
    const id = created.slice(7, 43);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const told = endpoint.told(id);
    const sentAt = performance.now();
    await asker.ask(giveAnswer(id), 200);
    const answeredAt = performance.now();
    const toldAt = await told;
    times.fromAnswerSent.push(toldAt - sentAt);
    times.afterAnswer.push(toldAt - answeredAt);
  }
  await asker.ask(deleteWebhook(webhookId), 200);
  asker.close();
  endpoint.close();
  return times;
}

async function openEndpoint() {
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = performance.now();
      response.end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { interactionId: string } };
      waiting.get(data.interactionId)?.(at);
      waiting.delete(data.interactionId);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    told: (id: string) => new Promise<number>((resolve) => waiting.set(id, resolve)),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
