import {
  type EphemeralEvent,
  EphemeralEventSchema,
  type FreeObject,
  type LogEvent,
  type Message,
  type Page,
} from '@holdpoint/protocol';
import { Compile } from 'typebox/schema';
import { afterAll, describe, expect, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { startReceiver } from '../webhooks/webhook-receiver.ts';
import { EventReader } from './event-reader.ts';

const server = await startSpecServer({ responderRateLimit: 100_000 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

let orgs = 0;
const freshOrg = () => admin.withOrg(`ephemeral-${++orgs}`);
const path = '/v1/events?ephemeral=true';
const begin = (client: SpecClient, threadId: string) =>
  client.made<Message>(`/v1/threads/${threadId}/messages`, { streaming: true });
const append = (client: SpecClient, id: string, text: string) => client.made(`/v1/messages/${id}/append`, { text });
const typing = (client: SpecClient, threadId: string, body: object = {}) =>
  client.post(`/v1/threads/${threadId}/typing`, body);
/** A reader that joins later does not get an ephemeral event. */
async function untilHeard(client: SpecClient, threadId: string, ...readers: EventReader[]): Promise<void> {
  for (const reader of readers)
    await expect
      .poll(async () => {
        await typing(client, threadId, { agentId: 'warm-up' });
        return reader.left.length;
      })
      .toBeGreaterThan(0);
}
async function take(reader: EventReader, count: number): Promise<LogEvent[]> {
  const seen: LogEvent[] = [];
  while (seen.length < count) seen.push(...(await reader.take(1)).filter(({ actor }) => actor.id !== 'warm-up'));
  return seen;
}
const typesOf = (events: readonly LogEvent[]) => events.map(({ type }) => type as string);

describe('pieces of a message', () => {
  test('[E1] are sent to readers that asked for them, in frames without an id, and stored nowhere', async () => {
    const org = await freshOrg();
    const { id: threadId } = await org.newThread();
    const [asked, other] = await Promise.all([EventReader.open(org, path), EventReader.open(org)]);
    await untilHeard(org, threadId, asked);
    const message = await begin(org, threadId);
    const [created] = await take(asked, 1);
    await append(org, message.id, 'Hel');
    const [delta] = await take(asked, 1);
    expect(delta).toEqual({
      ...{ threadId, type: 'message.delta', at: expect.any(String), actor: message.by },
      data: { messageId: message.id, text: 'Hel', offset: 0 },
    });
    expect(Compile(EphemeralEventSchema).Check(delta)).toBe(true);
    expect(asked.lastId).toBe(created?.cursor);
    await append(org, message.id, 'lo');
    expect(await take(asked, 1)).toMatchObject([{ data: { text: 'lo', offset: 3 } }]);
    await org.made(`/v1/messages/${message.id}/complete`);
    expect(typesOf(await take(asked, 1))).toEqual(['message.completed']);
    expect(typesOf(await take(other, 2))).toEqual(['message.created', 'message.completed']);
    const resumed = await EventReader.open(org, `${path}&after=start`);
    expect(typesOf(await take(resumed, 3))).toEqual(['thread.created', 'message.created', 'message.completed']);
    const { body } = await org.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`);
    expect(body.data).toHaveLength(3);
    for (const reader of [asked, other, resumed]) {
      expect(reader.left.filter(({ actor }) => actor.id !== 'warm-up')).toEqual([]);
      await reader.close();
    }
  });

  test('[E2] come in order among the events of the log, each after what was committed before', async () => {
    const org = await freshOrg();
    const { id: threadId } = await org.newThread();
    const reader = await EventReader.open(org, path);
    await untilHeard(org, threadId, reader);
    const wanted: string[] = [];
    const seen: LogEvent[] = [];
    for (let n = 0; n < 25; n++) {
      const { id } = await begin(org, threadId);
      await append(org, id, `${n}a`);
      await append(org, id, `${n}b`);
      seen.push(...(await take(reader, 3)));
      await org.made(`/v1/messages/${id}/complete`);
      seen.push(...(await take(reader, 1)));
      wanted.push(`created ${id}`, `${n}a`, `${n}b`, `completed ${id}`);
    }
    const inWords = ({ type, data }: LogEvent | EphemeralEvent) =>
      type === 'message.delta' ? data.text : `${type.replace('message.', '')} ${'message' in data && data.message.id}`;
    expect(seen.map(inWords)).toEqual(wanted);
    await reader.close();
  });

  test('[E2] that are long are sent in several parts', async () => {
    const org = await freshOrg();
    const { id: threadId } = await org.newThread();
    const reader = await EventReader.open(org, path);
    await untilHeard(org, threadId, reader);
    const { id } = await begin(org, threadId);
    const text = 'wörld 🙂 "\n'.repeat(3_000);
    await append(org, id, text);
    await take(reader, 1);
    const deltas: { data: FreeObject }[] = [];
    const joined = () => deltas.map(({ data }) => data.text).join('');
    while (joined().length < text.length) deltas.push(...((await take(reader, 1)) as unknown as typeof deltas));
    expect(deltas.length).toBeGreaterThan(5);
    expect(joined()).toBe(text);
    for (const { data } of deltas) expect(text.startsWith(data.text as string, data.offset as number)).toBe(true);
    for (const { data } of deltas) expect(JSON.stringify(data).length).toBeLessThan(7_500);
    await reader.close();
  });
});

describe('typing', () => {
  test('[E1] names the actor that types: a person, the person of an API key, an agent by its name', async () => {
    const org = await freshOrg();
    const { id: threadId } = await org.newThread();
    const ada = await org.withToken({ threadId });
    const key = await org.withKey();
    const reader = await EventReader.open(org, path);
    await untilHeard(org, threadId, reader);
    expect((await typing(ada, threadId)).status).toBe(200);
    expect((await typing(key, threadId)).body).toEqual({});
    expect((await typing(key, threadId, { agentId: 'bot 🤖' })).status).toBe(200);
    expect(await take(reader, 3)).toMatchObject([
      { type: 'thread.typing', threadId, actor: { type: 'human', id: 'ada' }, data: {} },
      { type: 'thread.typing', threadId, actor: { type: 'human', id: `key:${key.keyId}` }, data: {} },
      { type: 'thread.typing', threadId, actor: { type: 'agent', id: 'bot 🤖' }, data: {} },
    ]);
    expect((await typing(ada, threadId, { agentId: 'bot' })).body).toMatchObject({ code: 'forbidden' });
    expect((await typing(key, 'never-was', { agentId: 'bot' })).body).toMatchObject({ code: 'thread-not-found' });
    for (const body of [{ agentId: '' }, { agentId: 'a\n' }, { role: 'user' }])
      expect((await typing(key, threadId, body)).status).toBe(400);
    await reader.close();
  });
});

describe('readers of ephemeral events', () => {
  test('[E3][X4] those of the thread, and nobody who may not follow it', async () => {
    const org = await freshOrg();
    const [mine, other] = [await org.ask(), await org.ask()];
    const ada = await org.withToken({ threadId: mine.threadId });
    const eve = await org.withToken({ interactionId: mine.id });
    const readers = await Promise.all([
      EventReader.open(org, path),
      EventReader.open(ada, path),
      EventReader.open(org, `${path}&threadId=${other.threadId}`),
      EventReader.open(org, `${path}&interactionId=${mine.id}`),
      EventReader.open(eve, path),
      EventReader.open(org, `${path}&types=interaction.cancelled`),
      EventReader.open(org, '/v1/events?ephemeral=false'),
      EventReader.open(admin, path),
    ]);
    const [first, ofAda, ofOther, , , ofTypes] = readers;
    await untilHeard(org, mine.threadId, first, ofAda, ofTypes);
    await untilHeard(org, other.threadId, ofOther);
    await typing(org, mine.threadId);
    await typing(org, other.threadId);
    const typed = await take(first, 2);
    // The last event of each of them, all sent at the same time.
    for (const { id } of [mine, other]) await org.made(`/v1/interactions/${id}/cancel`);
    await admin.newThread();
    const threads = { [mine.threadId]: 'mine', [other.threadId]: 'other' };
    const received = await Promise.all(
      readers.map(async (reader) => {
        const seen = reader === first ? typed : [];
        while (/typing/.test(seen.at(-1)?.type ?? 'typing')) seen.push(...(await take(reader, 1)));
        return seen.filter(({ type }) => /typing/.test(type)).map(({ threadId }) => threads[threadId]);
      }),
    );
    expect(received).toEqual([['mine', 'other'], ['mine'], ['other'], [], [], ['mine', 'other'], [], []]);
    await Promise.all(readers.map((reader) => reader.close()));
  });

  test('[E1] no webhook is', async () => {
    const org = await freshOrg();
    await using receiver = await startReceiver();
    const { id: threadId } = await org.newThread();
    await org.made('/v1/webhooks', { url: receiver.url });
    const { id } = await begin(org, threadId);
    await append(org, id, 'Hi');
    await typing(org, threadId);
    await org.made(`/v1/messages/${id}/complete`);
    await expect.poll(() => receiver.events().map(({ type }) => type)).toContain('message.completed');
    expect(receiver.events().map(({ type }) => type)).toEqual(['message.created', 'message.completed']);
  });

  test('[E1][H1] what is neither true nor false is refused', async () => {
    for (const value of ['', '1', 'yes', 'TRUE'])
      expect(await admin.get(`/v1/events?ephemeral=${value}`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/query/ephemeral' }] },
      });
  });
});
