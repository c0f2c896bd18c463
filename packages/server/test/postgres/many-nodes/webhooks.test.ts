/** Webhooks of three nodes on one database: one node at a time sends to each, and another continues where it stopped. */
import type { Delivery, Message, Page, Webhook } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { leaseMs } from '../../../src/delivery/leases.ts';
import type { Client } from '../../client.ts';
import type { DataPlace } from '../../data-place.ts';
import { startReceiver } from '../../http/webhooks/webhook-receiver.ts';
import { type SpawnedServer, spawnServer } from '../../spawned-server.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { newDatabasePlace } from '../database-place.ts';

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

interface Nodes<Node> {
  start(place: DataPlace): Promise<Node>;
  end(node: Node): Promise<unknown>;
}

const inProcess: Nodes<TestServer> = {
  start: (place) => startTestServer({ place }),
  end: (node) => node.stop(),
};

const spawned: Nodes<SpawnedServer> = {
  start: (place) => spawnServer({ place, args: ['--allow-private-webhooks'] }),
  end: (node) => node.kill('SIGKILL'),
};

/** Three nodes on one database, a thread, and a webhook that leads to a receiver of this test. */
async function setUp<Node extends { admin: Client }>({ start, end }: Nodes<Node>, settings: Partial<Webhook> = {}) {
  const place = await newDatabasePlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const nodes = await Promise.all([start(place), start(place), start(place)]);
  onTestFinished(async () => void (await Promise.all(nodes.map(end))));
  const received = await receiverOfTest();
  const { admin } = nodes[0];
  await admin.post('/v1/threads', { id: 'one' });
  const { body: hook } = await admin.post<Webhook>('/v1/webhooks', { url: received.receiver.url, ...settings });
  return { nodes, admin, hook, ...received };
}

const say = async (admin: Client, threadId = 'one') =>
  (await admin.post<Message>(`/v1/threads/${threadId}/messages`, { text: 'Hi' })).body.id;

test('[N6][WH9] three nodes: each event is sent once, in the order of the log, one at a time if the webhook wants this', async () => {
  const { nodes, hook, receiver, messages, state } = await setUp(inProcess, { order: 'thread', concurrency: 1 });
  const said: string[] = [];
  for (let count = 0; count < 50; count++) for (const { admin } of nodes) said.push(await say(admin));
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(150);
  expect(messages()).toEqual(said);
  expect(state.mostInFlight).toBe(1);

  // Whichever node sends, what was changed at another holds for the next event, and a replay is sent.
  for (const { admin: other } of nodes) {
    const before = receiver.received.length;
    const headers = { 'X-Round': `${before}` };
    await other.call(`/v1/webhooks/${hook.id}`, { method: 'PATCH', body: { headers } });
    await say(other);
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    expect(receiver.received.at(-1)?.headers['x-round']).toBe(headers['X-Round']);
    const { body } = await other.get<Page<Delivery>>(`/v1/webhooks/${hook.id}/deliveries?status=delivered&limit=1`);
    await other.post(`/v1/webhooks/${hook.id}/deliveries/${body.data[0]?.id}/replay`);
    await expect.poll(() => receiver.received.length).toBe(before + 2);
  }
});

/** Two that go, each with one that stays a while longer. */
const inTurn = <Node>([one, two, three]: [Node, Node, Node]): [Node, Node][] => [
  [one, two],
  [two, three],
];

test('[N6] a node that stops hands its webhooks on at once, and sends nothing twice', async () => {
  const { nodes, admin, receiver, messages } = await setUp(inProcess);
  const said = [await say(admin)];
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const [node, next] of inTurn(nodes)) {
    await node.stop();
    const startedAt = performance.now();
    said.push(await say(next.admin));
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(said.length);
    expect(performance.now() - startedAt).toBeLessThan(leaseMs);
  }
  expect(messages()).toEqual(said);
});

test('[N6][WH1] a node that is killed is followed by another when its claim ends, and nothing is lost', async () => {
  const { nodes, admin, receiver, messages } = await setUp(spawned);
  const said = [await say(admin)];
  await expect.poll(() => receiver.received.length).toBe(1);
  // Whichever of the three has it, two of them die, and the third must have taken it over.
  for (const [node, survivor] of inTurn(nodes)) {
    const saying = Promise.all(Array.from({ length: 20 }, () => say(survivor.admin)));
    await node.kill('SIGKILL');
    said.push(...(await saying));
    const startedAt = performance.now();
    await expect.poll(() => new Set(messages()).size, { timeout: 20_000 }).toBe(said.length);
    // The end of the claim, the next look, and something for a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(leaseMs + 4_000);
  }
  expect(new Set(messages())).toEqual(new Set(said));
});
