/** Data of an earlier version, opened by this version: nothing is lost, and everything continues. */
import { verifyAnswer } from '@holdpoint/client/verify';
import {
  type Actor,
  type Grant,
  type Interaction,
  jsonEqual,
  type LogEvent,
  type Message,
  type Page,
  type Run,
  type StoredFile,
  type Thread,
} from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { signedIn } from './http/people/person-client.ts';
import { outcomeOf, send } from './stored-data/recorded-calls.ts';
import { serverOnFixture } from './stored-data/server-on-fixture.ts';
import { fixtureNames, fixturesBeforePeople } from './stored-data/stored-fixtures.ts';
import { granted, hourMs } from './stored-data/story.ts';

/** All actors in a record: those of its own, and those of the records in it. */
function actorsIn(value: unknown): Actor[] {
  if (Array.isArray(value)) return value.flatMap(actorsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    ['by', 'actor', 'createdBy', 'closedBy', 'revokedBy', 'voters'].includes(name) ? [part].flat() : actorsIn(part),
  );
}

/** Calls of a program that continues with the data. */
function callsOf(opened: ReturnType<typeof serverOnFixture>) {
  const get = async (id: string) => (await opened.server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;
  const answer = async (id: string, values: object, responderId: string) => {
    const responder = { type: 'human', id: responderId };
    const reply = await opened.server.admin.post<Interaction>(`/v1/interactions/${id}/answers`, { values, responder });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  return { get, answer };
}

describe.each(fixtureNames)('data written by %s', (name) => {
  const opened = serverOnFixture(name);
  const { get, answer } = callsOf(opened);

  test('[I20] every call repeated under its key gets the resource that the first call made', async () => {
    expect(opened.stored.calls.length).toBeGreaterThan(70);
    const outcomes = [];
    for (const call of opened.stored.calls)
      outcomes.push({ ...call, repeated: outcomeOf(await send(opened.server.url, call)) });
    expect(outcomes).toEqual(opened.stored.calls);
  });

  test('[I2] another body under a key of that version is refused', async () => {
    const call = opened.stored.calls.find(({ path }) => path === '/v1/threads');
    if (!call) throw new Error('the fixture has no thread');
    const { body, status } = await send(opened.server.url, { ...call, body: { title: 'Another' } });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency-key-reused' });
  });

  test('[S10][BD4] its answers belong to their questions', async () => {
    const answered = await Promise.all(opened.stored.ids.answered.map(get));
    for (const interaction of answered) {
      expect(interaction.status).toBe('answered');
      expect(await verifyAnswer(interaction)).toBe(true);
    }
  });

  test('[S10] its pending questions are in the inbox of their assignee and can be answered', async () => {
    const { voted, odd, changed, inDialect } = opened.stored.ids;
    const { body } = await opened.server.admin.post<{ token: string }>('/v1/responder-tokens', {
      ...{ responderId: 'ann', inbox: true },
    });
    const inbox = await opened.server.admin.as(body.token).get<Page<Interaction>>('/v1/interactions?status=pending');
    expect(inbox.body.data.map(({ id }) => id).toSorted()).toEqual([voted, odd].toSorted());
    const approved = await answer(voted, { decision: 'allow' }, 'bob');
    expect(approved).toMatchObject({ status: 'answered', votes: [{ by: { id: 'ann' } }, { by: { id: 'bob' } }] });
    await answer(odd, { text: 'Fine' }, 'ann');
    await answer(changed, { region: 'eu' }, 'ann');
    await answer(inDialect, { choice: 'yes' }, 'ann');
    for (const id of [voted, odd, changed, inDialect]) expect(await verifyAnswer(await get(id))).toBe(true);
  });

  test('[S10][D4] its deadlines fire', async () => {
    opened.server.clock.offsetMs += hourMs;
    await expect
      .poll(() => get(opened.stored.ids.timed))
      .toMatchObject({ status: 'answered', closedReason: 'deadline' });
  });

  test('[S10][G20] a grant with its coverage answers, a grant with only a key does not; both can be revoked', async () => {
    const requester = opened.server.admin.as(
      opened.stored.calls.find(({ body }) => jsonEqual(body, granted))?.token ?? '',
    );
    const { id: threadId } = (await opened.server.admin.post<{ id: string }>('/v1/threads')).body;
    const ask = async () => (await requester.post<Interaction>(`/v1/threads/${threadId}/interactions`, granted)).body;
    const listed = (await opened.server.admin.get<Page<Grant>>('/v1/grants?key=rm')).body.data;
    const grant = listed.find(({ id }) => id === opened.stored.ids.grant);
    expect(grant).toBeDefined();
    expect((await ask()).answer?.grantId).toBe(grant?.covers ? grant.id : undefined);
    const { status } = await opened.server.admin.post<Grant>(`/v1/grants/${opened.stored.ids.grant}/revoke`);
    expect(status).toBe(200);
    expect(await ask()).toMatchObject({ status: 'pending' });
  });

  test('[S10][DA1] its waiting runs continue with the answer', async () => {
    const { waiting: threadId } = opened.stored.ids;
    const pending = `/v1/interactions?status=pending&threadId=${threadId}`;
    const [asked] = (await opened.server.admin.get<Page<Interaction>>(pending)).body.data;
    await answer(asked?.id ?? '', { env: 'prod' }, 'ann');
    const { body } = await opened.server.admin.get<{ run: Run }>(`/v1/threads/${threadId}/turn?timeoutMs=30000`);
    expect(body.run).toMatchObject({ status: 'completed', result: ['build-7', 'prod'] });
  });
});

describe.each(fixturesBeforePeople)('data written by %s, which knew no people', (name) => {
  const opened = serverOnFixture(name);
  const { get, answer } = callsOf(opened);

  test('[PE5] everybody who acted in it has acted in an unknown way, in every record and event', async () => {
    const list = async <T>(path: string) => (await opened.server.admin.get<Page<T>>(path)).body.data;
    const [interactions, threads, grants] = [
      await list<Interaction>('/v1/interactions?limit=200'),
      await list<Thread>('/v1/threads?limit=200'),
      await list<Grant>('/v1/grants?limit=200'),
    ];
    const each = async <T>(path: (id: string) => string, ids: string[]) =>
      (await Promise.all(ids.map((id) => opened.server.admin.get<T>(path(id))))).map(({ body }) => body);
    const ofThreads = threads.map(({ id }) => id);
    const pages = {
      messages: await each<Page<Message>>((id) => `/v1/threads/${id}/messages?limit=200`, ofThreads),
      log: await each<Page<LogEvent>>((id) => `/v1/threads/${id}/log?limit=200`, ofThreads),
    };
    const messages = pages.messages.flatMap(({ data }) => data);
    const files = JSON.stringify([interactions, messages]).match(/(?<="file_id":")[^"]+/g) ?? [];
    const log = pages.log.flatMap(({ data }) => data);
    const one = {
      interactions: await each<Interaction>(
        (id) => `/v1/interactions/${id}`,
        interactions.map(({ id }) => id),
      ),
      threads: await each<Thread>((id) => `/v1/threads/${id}`, ofThreads),
      messages: await each<Message>(
        (id) => `/v1/messages/${id}`,
        messages.map(({ id }) => id),
      ),
      files: await each<StoredFile>((id) => `/v1/files/${id}`, [...new Set(files)]),
    };
    expect(one.interactions).toEqual(interactions);
    for (const records of [interactions, threads, grants, messages, log, ...Object.values(one)]) {
      const actors = actorsIn(records);
      expect(actors.length).toBeGreaterThan(0);
      for (const actor of actors) expect(actor).toEqual({ type: actor.type, id: actor.id, via: 'unknown' });
    }
  });

  test('[PE5] a record keeps who acted before, and has how others act now', async () => {
    const { voted } = opened.stored.ids;
    const answered = await answer(voted, { decision: 'allow' }, 'bob');
    const [ann, bob] = [
      { type: 'human', id: 'ann', via: 'unknown' },
      { type: 'human', id: 'bob', via: 'key', keyId: 'admin' },
    ];
    expect(answered).toMatchObject({ createdBy: { via: 'unknown' }, votes: [{ by: ann }, { by: bob }], closedBy: bob });
    expect(await get(voted)).toEqual(answered);
    const { body } = await opened.server.admin.post<Grant>(`/v1/grants/${opened.stored.ids.grant}/revoke`);
    expect(body).toMatchObject({ by: { via: 'unknown' }, revokedBy: { id: 'admin', via: 'key' } });
  });

  test('[PE5][PE8] a member sees its pending questions for anyone', async () => {
    const pending = '/v1/interactions?status=pending&limit=200';
    const all = (await opened.server.admin.get<Page<Interaction>>(pending)).body.data;
    const forAnyone = all.filter(({ responder }) => responder.type !== 'agent' && !responder.assignees);
    expect(forAnyone.length).toBeGreaterThan(2);
    const member = await signedIn(opened.server.admin);
    expect((await member.get<Page<Interaction>>(pending)).body.data).toEqual(forAnyone);
    const { body } = await member.get('/v1/interactions/count?status=pending');
    expect(body).toEqual({ count: forAnyone.length });
    const reply = await member.answer(opened.stored.ids.changed, { region: 'eu' });
    expect(reply.body.answer?.by).toMatchObject({ id: member.person.id, via: 'link' });
  });
});
