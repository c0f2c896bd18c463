/** Ephemeral events over several nodes: followers at every node get them, in their place in the log. */
import type { EphemeralEvent, LogEvent, Message } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../client.ts';
import { EventReader } from '../../http/events/event-reader.ts';
import { startTestServer } from '../../test-server.ts';
import { newDatabasePlace } from '../database-place.ts';

async function nodesOfTest(count: number): Promise<[Client, ...Client[]]> {
  const place = await newDatabasePlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const nodes = await Promise.all(Array.from({ length: count }, () => startTestServer({ place })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  return nodes.map(({ admin }) => admin) as [Client, ...Client[]];
}

const inWords = ({ type, data }: LogEvent | EphemeralEvent): string =>
  type === 'message.delta' ? data.text : `${type.replace('message.', '')} ${'message' in data ? data.message.id : ''}`;

/** The next that are not about typing. */
async function take(reader: EventReader, count: number): Promise<string[]> {
  const seen: LogEvent[] = [];
  while (seen.length < count) seen.push(...(await reader.take(1)).filter(({ type }) => !/typing/.test(type)));
  return seen.map(inWords);
}

/** Until each of them hears what the others tell. */
async function untilAllHear(nodes: readonly Client[], readers: readonly EventReader[]): Promise<void> {
  for (const node of nodes)
    for (const reader of readers)
      await expect
        .poll(async () => {
          await node.post('/v1/threads/one/typing', { agentId: node.url });
          return reader.left.some(({ actor }) => actor.id === node.url);
        })
        .toBe(true);
}

test('[N7][E2] pieces of a message reach the streams of every node, each after the events committed before', async () => {
  const nodes = await nodesOfTest(2);
  const [one, two] = nodes as [Client, Client];
  await one.post('/v1/threads', { id: 'one' });
  const readers = await Promise.all(nodes.map((node) => EventReader.open(node, '/v1/events?ephemeral=true')));
  await untilAllHear(nodes, readers);
  for (let n = 0; n < 20; n++) {
    const [writer, other] = n % 2 ? [one, two] : [two, one];
    const { body } = await writer.post<Message>('/v1/threads/one/messages', { streaming: true });
    const path = `/v1/messages/${body.id}`;
    for (const text of ['a', 'b', 'c']) await writer.post(`${path}/append`, { text });
    const begun = [`created ${body.id}`, 'a', 'b', 'c'];
    for (const reader of readers) expect(await take(reader, 4)).toEqual(begun);
    expect((await other.get<Message>(path)).body.blocks[0]?.payload.text).toBe('abc');
    await other.post(`${path}/complete`);
    for (const reader of readers) expect(await take(reader, 1)).toEqual([`completed ${body.id}`]);
  }
  await Promise.all(readers.map((reader) => reader.close()));
});

test('[M3][N1] pieces that come over two nodes at once are all kept, and nothing is published after the end', async () => {
  const nodes = await nodesOfTest(2);
  const [one] = nodes;
  await one.post('/v1/threads', { id: 'one' });
  const reader = await EventReader.open(one, '/v1/events?ephemeral=true');
  const { body } = await one.post<Message>('/v1/threads/one/messages', { streaming: true });
  const pieces = Array.from({ length: 60 }, (_, n) => `<${n}>`);
  const append = (text: string, n: number) => nodes[n % 2]?.post(`/v1/messages/${body.id}/append`, { text });
  const [replies, ended] = await Promise.all([
    Promise.all(pieces.map(append)),
    one.post<Message>(`/v1/messages/${body.id}/complete`),
  ]);
  const added = pieces.filter((_, n) => replies[n]?.status === 200);
  const text = `${ended.body.blocks[0]?.payload.text ?? ''}`;
  expect((text.match(/<\d+>/g) ?? []).toSorted()).toEqual(added.toSorted());
  await one.post('/v1/threads', { id: 'two' });
  const seen: LogEvent[] = [];
  while (seen.at(-1)?.type !== 'thread.created') seen.push(...(await reader.take(1)));
  const endAt = seen.findIndex(({ type }) => type === 'message.completed');
  expect(seen.slice(endAt).map(({ type }) => type)).toEqual(['message.completed', 'thread.created']);
  await reader.close();
});
