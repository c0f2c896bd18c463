/** One org uses up all it can get; another one notices nothing. */
import type { Webhook } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { startReceiver } from './webhook-receiver.ts';

test('[WH30] forty webhooks of one org whose names are not answered delay no delivery of another org', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const { port } = new URL(receiver.url);
  const home = [{ address: '127.0.0.1', family: 4 }];
  let isDead = false;
  const waiting = new Set<string>();
  const resolveHost = async (host: string) => {
    if (!isDead || !host.startsWith('dead')) return home;
    waiting.add(host);
    return new Promise<typeof home>(() => {});
  };
  const server = await startSpecServer({ internals: { resolveHost } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { admin } = server;
  const neighbour = await admin.withOrg('neighbour');
  // They must have been answered when they were registered.
  for (let count = 0; count < 40; count++)
    await admin.made<Webhook>('/v1/webhooks', { url: `http://dead${count}.example:${port}/`, timeoutMs: 30_000 });
  await neighbour.made<Webhook>('/v1/webhooks', { url: `http://alive.example:${port}/neighbour` });
  isDead = true;
  await admin.newThread();
  await expect.poll(() => waiting.size).toBe(8);
  const { id } = await neighbour.newThread();
  await expect.poll(() => receiver.events().map(({ data }) => data.threadId)).toContain(id);
  expect(waiting.size).toBe(8);
  await neighbour.made<Webhook>('/v1/webhooks', { url: `http://another.example:${port}/` });
}, 30_000);
