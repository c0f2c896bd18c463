import type { Delivery, Message, Page, Webhook } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { type Answering, startReceiver } from './http/webhooks/webhook-receiver.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import type { SpawnedServer } from './spawned-server.ts';

const { running, start } = serversOfATest();
const options = { args: ['--allow-private-webhooks'] };

async function killAtOnce(server: SpawnedServer): Promise<void> {
  running.delete(server);
  await server.kill('SIGKILL');
}

async function receiverOfTest(answer?: Answering) {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const messages = () => receiver.events().map(({ data }) => (data.data.message as Message).id);
  return { receiver, messages };
}

test('[WH1][S1] killed while an endpoint has the event and has not answered, the server sends it again after the start', async () => {
  const { receiver, messages } = await receiverOfTest(() => undefined);
  const first = await start(options);
  await first.admin.post('/v1/threads', { id: 'one' });
  const { body: hook } = await first.admin.post<Webhook>('/v1/webhooks', { url: receiver.url, order: 'thread' });
  const said: string[] = [];
  for (let count = 0; count < 5; count++)
    said.push((await first.admin.post<Message>('/v1/threads/one/messages', { text: 'Hi' })).body.id);
  await expect.poll(() => receiver.received.length).toBe(1);
  await killAtOnce(first);
  receiver.answer = () => 200;
  const second = await start(options);
  await expect.poll(messages, { timeout: 20_000 }).toEqual([said[0], ...said]);
  const [one, again] = receiver.received;
  expect(again?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
  const delivered = async () =>
    (await second.admin.get<Page<Delivery>>(`/v1/webhooks/${hook.id}/deliveries?status=delivered`)).body.data.length;
  await expect.poll(delivered).toBe(5);
});

test('[WH1][S1] killed at any time between commit and delivery, the server loses no acknowledged event', async () => {
  const { receiver, messages } = await receiverOfTest();
  let server = await start(options);
  await server.admin.post('/v1/threads', { id: 'one' });
  await server.admin.post('/v1/webhooks', { url: receiver.url });
  const acknowledged = new Set<string>();
  for (const kills of [7, 60, 150]) {
    const { admin } = server;
    const enough = Promise.withResolvers<void>();
    const target = acknowledged.size + kills;
    const calling = Array.from({ length: 12 }, async () => {
      while (true) {
        const { status, body } = await admin.post<Message>('/v1/threads/one/messages', { text: 'Hi' });
        if (status === 201) acknowledged.add(body.id);
        if (acknowledged.size >= target) enough.resolve();
      }
    });
    // They continue until the server is gone.
    const ended = Promise.allSettled(calling);
    await enough.promise;
    await killAtOnce(server);
    await ended;
    server = await start(options);
  }
  await expect
    .poll(() => [...acknowledged].filter((id) => !messages().includes(id)).length, { timeout: 30_000 })
    .toBe(0);
  // An event that came twice has the same id.
  const ids = new Map(receiver.received.map(({ headers }, index) => [headers['webhook-id'], messages()[index]]));
  expect(ids.size).toBe(new Set(messages()).size);
});
