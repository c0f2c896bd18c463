import { EventSchema, type EventType, type LogEvent, type Message, type Page } from '@holdpoint/protocol';
import { Compile } from 'typebox/schema';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { EventReader } from './event-reader.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

let orgs = 0;
/** An org whose log holds only what the test puts there. */
const freshOrg = () => admin.withOrg(`events-${++orgs}`);
const say = (client: SpecClient, threadId: string, text = 'hi') =>
  client.made(`/v1/threads/${threadId}/messages`, { text });
const types = (events: readonly LogEvent[]) => events.map(({ type }) => type);
const cursors = (events: readonly LogEvent[]) => events.map(({ cursor }) => cursor);

describe('following', () => {
  test('[L3] a follower gets every event of its org in log order as it commits, and nobody else’s', async () => {
    const org = await freshOrg();
    const reader = await EventReader.open(org);
    await admin.newThread();
    const { id, threadId } = await org.ask();
    await org.answer(id);
    const events = await reader.take(3);
    expect(types(events)).toEqual(['thread.created', 'interaction.created', 'interaction.answered']);
    expect(cursors(events)).toEqual(cursors(events).toSorted());
    const { body } = await org.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`);
    expect(events).toEqual(body.data);
    const isEvent = Compile(EventSchema);
    for (const event of events) expect(isEvent.Check(event)).toBe(true);
    expect(reader.left).toEqual([]);
    await reader.close();
  });

  test('[L3] the stream from the start holds everything, once each, then follows', async () => {
    const org = await freshOrg();
    const { id } = await org.newThread();
    for (let i = 0; i < 450; i += 50) await Promise.all(Array.from({ length: 50 }, () => say(org, id)));
    const reader = await EventReader.open(org, '/v1/events?after=start');
    const replayed = await reader.take(451);
    expect(replayed.map(({ seq }) => seq)).toEqual(Array.from({ length: 451 }, (_, i) => i + 1));
    await say(org, id, 'live');
    expect(await reader.take(1)).toMatchObject([{ seq: 452 }]);
    await reader.close();
  });

  test('[L3] without a cursor a stream begins now, and says where that is', async () => {
    const org = await freshOrg();
    const { id } = await org.newThread();
    const reader = await EventReader.open(org);
    await vi.waitFor(() => expect(reader.lastId).toMatch(/^[0-9a-f]{16}$/));
    const { lastId } = reader;
    await reader.close();
    await say(org, id, 'missed');
    const resumed = await EventReader.open(org, '/v1/events', { 'last-event-id': lastId });
    expect(types(await resumed.take(1))).toEqual(['message.created']);
    await resumed.close();
  });

  test('[L4] resuming after any event, by header or by query, gives exactly what came after it', async () => {
    const org = await freshOrg();
    const { id } = await org.newThread();
    for (let i = 0; i < 5; i++) await say(org, id);
    const all = await EventReader.open(org, '/v1/events?after=start');
    const events = await all.take(6);
    await all.close();
    for (const [index, { cursor }] of events.entries()) {
      const readers = [
        await EventReader.open(org, `/v1/events?after=${cursor}`),
        // What a browser resumes from wins over what the page asked for.
        await EventReader.open(org, '/v1/events?after=start', { 'last-event-id': cursor }),
      ];
      for (const reader of readers) {
        expect(await reader.take(5 - index)).toEqual(events.slice(index + 1));
        await reader.close();
      }
    }
  });

  test('[L4] a reader that reconnects again and again under load has no gap and no repetition', async () => {
    const org = await freshOrg();
    const threads = await Promise.all(Array.from({ length: 4 }, () => org.newThread()));
    const perThread = 120;
    const writing = Promise.all(
      threads.map(async ({ id }) => {
        for (let i = 0; i < perThread; i += 4) await Promise.all([1, 2, 3, 4].map(() => say(org, id)));
      }),
    );
    const total = threads.length * (perThread + 1);
    const seen: LogEvent[] = [];
    let reader = await EventReader.open(org, '/v1/events?after=start');
    while (seen.length < total) {
      const events = await reader.take(Math.min(1 + (seen.length % 23), total - seen.length));
      seen.push(...events);
      await reader.close();
      reader = await EventReader.open(org, '/v1/events', { 'last-event-id': events.at(-1)?.cursor ?? '' });
    }
    await writing;
    await reader.close();
    expect(cursors(seen)).toEqual([...new Set(cursors(seen))].toSorted());
    for (const { id } of threads)
      expect(seen.filter(({ threadId }) => threadId === id).map(({ seq }) => seq)).toEqual(
        Array.from({ length: perThread + 1 }, (_, i) => i + 1),
      );
  });

  test.each(['', 'nonsense', '-1', '12', '00000000000000001', '9999999999999999', '0000099999999999'])(
    '[L4] the cursor %j was never given, so it is refused',
    async (cursor) => {
      const byQuery = await admin.get(`/v1/events?after=${cursor}`);
      const byHeader = await admin.get('/v1/events', { headers: { 'last-event-id': cursor } });
      for (const reply of [byQuery, byHeader])
        expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-cursor' } });
    },
  );

  test('[L3] many followers all get everything, and go on where others leave', async () => {
    const org = await freshOrg();
    const { id } = await org.newThread();
    const readers = await Promise.all(Array.from({ length: 60 }, () => EventReader.open(org)));
    await vi.waitFor(async () => expect(await admin.metric('holdpoint_streams')).toBe(60), 20_000);
    await say(org, id, 'one');
    for (const reader of readers) expect(await reader.take(1)).toMatchObject([{ seq: 2 }]);
    const [left, stayed] = [readers.slice(0, 59), readers.slice(59)];
    const leaving = Promise.all(left.map((reader) => reader.close()));
    await Promise.all(Array.from({ length: 20 }, () => say(org, id)));
    await leaving;
    await vi.waitFor(async () => expect(await admin.metric('holdpoint_streams')).toBe(1), 20_000);
    await say(org, id, 'last');
    for (const reader of stayed)
      expect((await reader.take(21)).map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 3));
    await Promise.all(stayed.map((reader) => reader.close()));
    const after = await EventReader.open(org);
    await say(org, id, 'after all had left');
    expect(await after.take(1)).toMatchObject([{ seq: 24 }]);
    await after.close();
  });

  test('[L3] a stream says what it is, and who asked for it', async () => {
    const reader = await EventReader.open(admin, '/v1/events', { 'x-request-id': 'stream-1' });
    const { headers } = reader.response;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('x-request-id')).toBe('stream-1');
    await reader.close();
  });
});

describe('filters', () => {
  test('[L6] a filter leaves events out and changes nothing else, in the replay and live', async () => {
    const org = await freshOrg();
    const one = await org.ask();
    const two = await org.ask({}, one.threadId);
    const other = await org.ask();
    const queries: [string, (event: LogEvent) => boolean][] = [
      [`threadId=${one.threadId}`, ({ threadId }) => threadId === one.threadId],
      [`interactionId=${two.id}`, ({ interactionId }) => interactionId === two.id],
      ['types=interaction.answered,message.created', ({ type }) => /answered|message/.test(type)],
      [
        `threadId=${one.threadId}&types=interaction.created`,
        ({ threadId, type }) => threadId === one.threadId && type === 'interaction.created',
      ],
      [`threadId=${other.threadId}&interactionId=${other.id}`, ({ interactionId }) => interactionId === other.id],
    ];
    const readers = await Promise.all(
      queries.map(([query]) => EventReader.open(org, `/v1/events?after=start&${query}`)),
    );
    const whole = await EventReader.open(org, '/v1/events?after=start');
    for (const { id, threadId } of [one, two, other]) {
      await org.answer(id);
      await say(org, threadId);
    }
    const events = await whole.take(5 + 6);
    for (const [index, reader] of readers.entries()) {
      const wanted = events.filter(queries[index]?.[1] ?? (() => false));
      expect(await reader.take(wanted.length), queries[index]?.[0]).toEqual(wanted);
      expect(reader.left).toEqual([]);
      await reader.close();
    }
    await whole.close();
  });

  test.each(['', 'nonsense', 'interaction.answered,', 'interaction.*'])('[L6] types=%s is refused', async (value) => {
    const reply = await admin.get(`/v1/events?types=${value}`);
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/query/types' }] } });
  });

  test('[L6] what a filter names must be there', async () => {
    const one = await admin.ask();
    const two = await admin.ask();
    for (const query of [
      'threadId=never-was',
      'interactionId=never-was',
      `threadId=${one.threadId}&interactionId=${two.id}`,
    ])
      expect((await admin.get(`/v1/events?${query}`)).status, query).toBe(404);
  });

  test('[L1] every kind of change is an event of its thread', async () => {
    const org = await freshOrg();
    const grant = { key: 'k', scope: 'thread' };
    const options = [
      { value: 'ok', label: 'Ok', kind: 'allow_once' },
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'no', label: 'No', kind: 'reject_once' },
    ];
    const { id: threadId } = await org.newThread();
    await say(org, threadId);
    await org.patch(`/v1/threads/${threadId}`, { title: 'Ops' });
    for (const end of ['complete', 'cancel']) {
      const { id } = await org.made<Message>(`/v1/threads/${threadId}/messages`, { streaming: true });
      await org.made(`/v1/messages/${id}/${end}`);
    }
    const voted = await org.ask({ resolution: { mode: 'quorum', count: 2 } }, threadId);
    await org.patch(`/v1/interactions/${voted.id}`, { metadata: {} });
    await org.answer(voted.id);
    await org.post(`/v1/interactions/${voted.id}/cancel`);
    const always = await org.ask({ kind: 'approval', options, grant }, threadId);
    await org.answer(always.id, { decision: 'always' });
    const { body } = await org.get<Page<{ id: string }>>('/v1/grants');
    await org.made(`/v1/grants/${body.data[0]?.id}/revoke`);
    const secret = await org.ask(
      { options: undefined, fields: [{ name: 'p', type: 'password', label: 'P' }] },
      threadId,
    );
    await org.answer(secret.id, { p: 'x' });
    await org.made(`/v1/interactions/${secret.id}/secrets`);
    await org.made(`/v1/interactions/${(await org.ask({}, threadId)).id}/decline`);
    const { body: log } = await org.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`);
    expect(types(log.data)).toEqual([
      'thread.created',
      'message.created',
      'thread.updated',
      'message.created',
      'message.completed',
      'message.created',
      'message.cancelled',
      'interaction.created',
      'interaction.updated',
      'interaction.voted',
      'interaction.cancelled',
      'interaction.created',
      'interaction.answered',
      'grant.created',
      'grant.revoked',
      'interaction.created',
      'interaction.answered',
      'interaction.secrets-taken',
      'interaction.created',
      'interaction.declined',
    ] satisfies EventType[]);
    expect(log.data.map(({ seq }) => seq)).toEqual(log.data.map((_, index) => index + 1));
  });
});

describe('how streams end', () => {
  test('[W3] when the server stops, streams end, and resuming at the next start misses nothing', async () => {
    await using stopping = await startSpecServer();
    const { id } = await stopping.admin.newThread();
    const readers = await Promise.all([
      EventReader.open(stopping.admin),
      EventReader.open(stopping.admin, '/v1/events?after=start'),
    ]);
    await say(stopping.admin, id);
    await Promise.all([readers[0]?.take(1), readers[1]?.take(2)]);
    await stopping.restart();
    await Promise.all(readers.map(({ ended }) => ended));
    await say(stopping.admin, id, 'after the restart');
    for (const { lastId } of readers) {
      const resumed = await EventReader.open(stopping.admin, '/v1/events', { 'last-event-id': lastId });
      expect(await resumed.take(1)).toMatchObject([{ seq: 3 }]);
      await resumed.close();
    }
  });

  test('[L3] a quiet stream is kept alive, and [X5] one whose key was revoked or whose token expired is ended', async () => {
    // Only intervals are false: sockets and the store go on as ever.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const org = await freshOrg();
      const { id: threadId } = await org.newThread();
      const key = await org.withKey();
      const token = await org.withToken({ threadId, ttlSeconds: 600 });
      const [byAdmin, byKey, byToken] = await Promise.all([org, key, token].map((client) => EventReader.open(client)));
      if (!byAdmin || !byKey || !byToken) throw new Error('three streams were opened');
      vi.advanceTimersByTime(15_000);
      for (const { comments } of [byAdmin, byKey, byToken])
        await vi.waitFor(() => expect(comments).toEqual([': keep-alive']));
      await org.made(`/v1/keys/${key.keyId}/revoke`);
      server.clock.offsetMs += 601_000;
      vi.advanceTimersByTime(15_000);
      await Promise.all([byKey.ended, byToken.ended]);
      await say(org, threadId, 'the others have ended, this one goes on');
      expect(await byAdmin.take(1)).toMatchObject([{ type: 'message.created' }]);
      expect([...byKey.left, ...byToken.left]).toEqual([]);
      await byAdmin.close();
    } finally {
      server.clock.offsetMs = 0;
      vi.useRealTimers();
    }
  });
});
