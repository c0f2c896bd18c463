/** Webhooks of three nodes on one database: one node at a time sends to each, and another goes on where it stopped. */
import type { Delivery, Message, Page, Webhook } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { holdMs } from '../../../src/delivery/duties.ts';
import type { Client } from '../../client.ts';
import { startReceiver } from '../../http/webhook-receiver.ts';
import { spawnServer } from '../../spawned-server.ts';
import { startTestServer } from '../../test-server.ts';
import { newDatabasePlace } from '../database-place.ts';

async function placeOfTest() {
  const place = await newDatabasePlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  return place;
}

async function receiverOfTest() {
  let inFlight = 0;
  const state = { mostInFlight: 0 };
  const receiver = await startReceiver(async () => {
    state.mostInFlight = Math.max(state.mostInFlight, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 2));
    inFlight--;
    return 200;
  });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const messages = () => receiver.events().map(({ data }) => (data.data.message as Message).id);
  return { receiver, messages, state };
}

const say = async (admin: Client, threadId = 'one') =>
  (await admin.post<Message>(`/v1/threads/${threadId}/messages`, { text: 'Hi' })).body.id;

test('[N6][WH9] three nodes: each event is sent once, one at a time where asked so, in the order of the log', async () => {
  const place = await placeOfTest();
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startTestServer({ place })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  const [admin] = nodes.map((node) => node.admin) as [Client];
  const { receiver, messages, state } = await receiverOfTest();
  await admin.post('/v1/threads', { id: 'one' });
  const settings = { url: receiver.url, order: 'thread', concurrency: 1 };
  const { body: hook } = await admin.post<Webhook>('/v1/webhooks', settings);
  const said: string[] = [];
  for (let count = 0; count < 150; count++) said.push(await say((nodes[count % 3] as { admin: Client }).admin));
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(150);
  expect(messages()).toEqual(said);
  expect(state.mostInFlight).toBe(1);

  // Whichever node sends, it hears of what was changed at another: a setting, a replay, the end.
  for (const { admin: other } of nodes) {
    const headers = { 'X-Round': `${Math.random()}` };
    await other.call(`/v1/webhooks/${hook.id}`, { method: 'PATCH', body: { headers } });
    await expect
      .poll(async () => {
        await say(other);
        return receiver.received.at(-1)?.headers['x-round'];
      })
      .toBe(headers['X-Round']);
    await expect.poll(async () => (await pending(other, hook.id)).length).toBe(0);
    const { body } = await other.get<Page<Delivery>>(`/v1/webhooks/${hook.id}/deliveries?status=delivered&limit=1`);
    const before = receiver.received.length;
    await other.post(`/v1/webhooks/${hook.id}/deliveries/${body.data[0]?.id}/replay`);
    await expect.poll(() => receiver.received.length).toBe(before + 1);
  }
});

async function pending(admin: Client, id: string): Promise<Delivery[]> {
  return (await admin.get<Page<Delivery>>(`/v1/webhooks/${id}/deliveries?status=pending`)).body.data;
}

test('[N6] a node that stops hands its webhooks on at once, and sends nothing twice', async () => {
  const place = await placeOfTest();
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startTestServer({ place })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  const { receiver, messages } = await receiverOfTest();
  const { admin } = nodes[0] as { admin: Client };
  await admin.post('/v1/threads', { id: 'one' });
  await admin.post('/v1/webhooks', { url: receiver.url });
  const said = [await say(admin)];
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const [index, node] of nodes.slice(0, 2).entries()) {
    await node.stop();
    const startedAt = performance.now();
    said.push(await say((nodes[index + 1] as { admin: Client }).admin));
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(said.length);
    expect(performance.now() - startedAt).toBeLessThan(holdMs);
  }
  expect(messages()).toEqual(said);
});

test('[N6][WH1] a node that is killed is followed by another when its claim ends, and nothing is lost', async () => {
  const place = await placeOfTest();
  const args = ['--allow-private-webhooks'];
  const nodes = await Promise.all(Array.from({ length: 3 }, () => spawnServer({ place, args })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.kill('SIGKILL')))));
  const { receiver, messages } = await receiverOfTest();
  const { admin } = nodes[0] as { admin: Client };
  await admin.post('/v1/threads', { id: 'one' });
  await admin.post('/v1/webhooks', { url: receiver.url });
  const said = [await say(admin)];
  await expect.poll(() => receiver.received.length).toBe(1);
  // Whichever of the three has it, two of them die, and the third must have taken it over.
  for (const [index, node] of nodes.slice(0, 2).entries()) {
    const survivor = nodes[index + 1] as { admin: Client };
    const saying = Promise.all(Array.from({ length: 20 }, () => say(survivor.admin)));
    await node.kill('SIGKILL');
    said.push(...(await saying));
    const startedAt = performance.now();
    await expect.poll(() => new Set(messages()).size, { timeout: 20_000 }).toBe(said.length);
    // The end of the claim, the next look, and something for a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(holdMs + 4_000);
  }
  expect(new Set(messages())).toEqual(new Set(said));
});
