/** The webhook endpoint of the load generator. It responds at once and records when each interaction arrived. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import type { WebhookCycleJob } from './jobs.ts';
import { requestsOf } from './request-bytes.ts';

/** Time until the store is idle after the create. */
const restMs = 20;

/** Time after which a message that has not arrived is counted as if it had. */
const patienceMs = 5_000;

/** Asks and answers, until the webhook arrives. Returns the times since the answer was sent and since its response. */
export async function webhookCycle({ port, key, endpointPort, clients, threadIds, durationMs }: WebhookCycleJob) {
  const { create, createWebhook, deleteWebhook, giveAnswer } = requestsOf(key);
  const endpoint = await openEndpoint(endpointPort);
  const requesters = await Promise.all(Array.from({ length: clients }, () => Connection.open(port)));
  const [first] = requesters as [Connection];
  const made = endpointPort === undefined ? await first.ask(createWebhook(endpoint.url), 201) : undefined;
  const times = { fromAnswerSent: [] as number[], afterAnswer: [] as number[] };
  const startedAt = performance.now();
  let next = 0;
  const runClient = async (requester: Connection) => {
    while (performance.now() - startedAt < durationMs) {
      const created = await requester.ask(create(threadIds[next++ % threadIds.length] ?? ''), 201);
      const id = created.slice(7, 43);
      await new Promise((resolve) => setTimeout(resolve, restMs));
      const arrival = endpoint.arrivalOf(id);
      const sentAt = performance.now();
      await requester.ask(giveAnswer(id), 200);
      const answeredAt = performance.now();
      const arrivedAt = await arrival;
      times.fromAnswerSent.push(arrivedAt - sentAt);
      times.afterAnswer.push(arrivedAt - answeredAt);
    }
  };
  await Promise.all(requesters.map(runClient));
  if (made !== undefined) await first.ask(deleteWebhook(JSON.parse(made).id), 200);
  for (const requester of requesters) requester.close();
  endpoint.close();
  return times;
}

async function openEndpoint(port = 0) {
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
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivalOf: (id: string) =>
      new Promise<number>((resolve) => {
        const timer = setTimeout(() => resolve(performance.now()), patienceMs);
        waiting.set(id, (at) => {
          clearTimeout(timer);
          resolve(at);
        });
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
