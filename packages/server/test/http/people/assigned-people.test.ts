/** Questions for people and groups, and what a deactivation does to them. */
import type { Interaction, LogEvent, Page } from '@holdpoint/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, header } from '../access/console-caller.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { invite, type PersonClient, signedIn } from './person-client.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const isoAt = (ms: number): string => new Date(server.clock.now() + ms).toISOString();
const askFor = (assignees: string[], more: object = {}) =>
  admin.ask({ responder: { type: 'human', assignees }, ...more });
const refusedFor = async (assignees: string[], client: SpecClient = admin) => {
  const { id } = await client.newThread();
  const path = `/v1/threads/${id}/interactions`;
  return client.post(path, { title: 'Deploy?', options: ['yes', 'no'], responder: { type: 'human', assignees } });
};
const read = async (id: string, client: SpecClient = admin) =>
  (await client.get<Interaction>(`/v1/interactions/${id}`)).body;
const eventsOf = async ({ threadId }: Interaction) =>
  (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log?limit=200`)).body.data;
const listed = async (assignee: string) =>
  (await admin.get<Page<Interaction>>(`/v1/interactions?assignee=${encodeURIComponent(assignee)}`)).body.data;
const deactivate = (person: { id: string }, client: SpecClient = admin) =>
  client.patch(`/v1/people/${person.id}`, { status: 'deactivated' });
const answered = (client: PersonClient, id: string) => client.answer(id);

describe('assignees', () => {
  test('[PE34] people are named by id or email, and asked under their id, once', async () => {
    const person = await invite(admin, { email: 'Named@Example.com' });
    const assignee = `person:${person.id}`;
    const asked = await askFor([`person:named@EXAMPLE.com`, assignee, 'crew-7', 'named@example.com']);
    expect(asked.responder.assignees).toEqual([assignee, 'crew-7', 'named@example.com']);
    expect(await listed(assignee)).toEqual([asked]);
  });

  test('[PE34] people and groups that do not exist, or are deactivated, are refused with their pointer', async () => {
    const gone = await invite(admin, { name: 'Gone' });
    await deactivate(gone);
    const other = await admin.withOrg('assignees-elsewhere');
    const known = await invite(admin);
    for (const [assignee, code] of [
      ['person:', 'unknown'],
      ['person:nobody', 'unknown'],
      ['person:nobody@example.com', 'unknown'],
      [`person:${gone.id}`, 'deactivated'],
      [`person:${gone.email}`, 'deactivated'],
      ['group:nowhere', 'unknown'],
      ['group:', 'unknown'],
    ] as const)
      expect(await refusedFor(['crew-7', assignee]), assignee).toMatchObject({
        status: 400,
        body: { code: 'invalid-input', errors: [{ pointer: '/responder/assignees/1', code }] },
      });
    expect((await refusedFor([`person:${known.id}`], other)).status).toBe(400);
    const all = await refusedFor(['person:a', 'crew-7', 'group:b', `person:${known.id}`]);
    expect(all.body).toMatchObject({
      errors: [{ pointer: '/responder/assignees/0' }, { pointer: '/responder/assignees/2' }],
    });
  });

  test('[PE34] escalations too, when a question is asked and when they change', async () => {
    const person = await invite(admin, { email: 'escalated@example.com' });
    const at = '2035-01-01T00:00:00Z';
    const escalations = (assignee: string) => [{ at, assignees: ['crew-7', assignee] }];
    const asked = await askFor(['crew-1'], { escalations: escalations('person:escalated@example.com') });
    expect(asked.escalations?.[0]?.assignees).toEqual(['crew-7', `person:${person.id}`]);
    const { id: threadId } = await admin.newThread();
    const question = { title: 'A?', options: ['yes', 'no'], responder: { type: 'human', assignees: ['crew-1'] } };
    const problem = { errors: [{ pointer: '/escalations/0/assignees/1', code: 'unknown' }] };
    const refused = await admin.post(`/v1/threads/${threadId}/interactions`, {
      ...{ ...question, escalations: escalations('group:nowhere') },
    });
    expect(refused).toMatchObject({ status: 400, body: problem });
    const path = `/v1/interactions/${asked.id}`;
    expect(await admin.patch(path, { escalations: escalations('person:nobody') })).toMatchObject({
      status: 400,
      body: problem,
    });
    const changed = await admin.patch<Interaction>(path, { escalations: escalations('person:ESCALATED@example.com') });
    expect(changed.body.escalations?.[0]?.assignees).toEqual(['crew-7', `person:${person.id}`]);
  });

  test('[PE35] the members of a group at the time of the answer may answer', async () => {
    await admin.made('/v1/groups', { id: 'finance' });
    const client = await signedIn(admin);
    const asked = await askFor(['group:finance']);
    expect(await answered(client, asked.id)).toMatchObject({ status: 404 });
    await admin.made('/v1/groups/finance/members', { personId: client.person.id });
    await expect.poll(async () => (await answered(client, asked.id)).status, { timeout: 5_000 }).toBe(200);
    const { answer } = await read(asked.id);
    expect(answer?.by).toMatchObject({ type: 'human', id: client.person.id, via: 'link', name: client.person.name });
  });
});

describe('deactivating', () => {
  test('[PE36] ends the sessions of the person, and their questions know', async () => {
    const client = await signedIn(admin);
    const { id } = client.person;
    const assignee = `person:${id}`;
    const both = await askFor([assignee, 'crew-7']);
    const alone = await askFor([assignee]);
    const closed = await askFor([assignee]);
    await admin.post(`/v1/interactions/${closed.id}/cancel`);
    expect((await deactivate(client.person)).status).toBe(200);
    await expect.poll(async () => (await client.get('/v1/me')).status, { timeout: 5_000 }).toBe(401);
    expect((await admin.get<Page<unknown>>(`/v1/people/${id}/sessions`)).body.data).toEqual([]);

    expect(await read(both.id)).toMatchObject({
      ...{ status: 'pending', version: 2, responder: { type: 'human', assignees: ['crew-7'] } },
      digest: expect.not.stringMatching(both.digest ?? ''),
    });
    expect((await eventsOf(both)).at(-1)).toMatchObject({
      type: 'interaction.reassigned',
      actor: { type: 'agent', id: 'admin', via: 'key' },
      data: { version: 2, removed: [assignee], assignees: ['crew-7'] },
    });
    expect(await read(alone.id)).toMatchObject({ status: 'pending', responder: { assignees: [] } });
    expect((await eventsOf(closed)).map(({ type }) => type)).not.toContain('interaction.reassigned');
    expect(await listed(assignee)).toEqual([]);
  });

  describe('while a node still knows the session', () => {
    // At this time no session, key or token that a node knows is looked up again.
    const { now } = server.clock;
    beforeAll(() => {
      const stopped = now();
      server.clock.now = () => stopped;
    });
    afterAll(() => {
      server.clock.now = now;
    });

    async function known(given: Record<string, unknown> = {}) {
      const client = await signedIn(admin, given);
      const { body } = await call(admin.url, '/console/token', {
        headers: { ...header, cookie: client.cookie },
        body: {},
      });
      const byToken = admin.as(String(body.token));
      for (const each of [client, byToken]) expect((await each.get('/v1/me')).status).toBe(200);
      return [client, byToken] as const;
    }
    const attempts = (client: SpecClient, id: string) => [
      client.answer(id),
      client.post(`/v1/interactions/${id}/decline`),
      client.post(`/v1/interactions/${id}/claim`),
      client.post(`/v1/interactions/${id}/delegate`, { to: 'crew-7' }),
    ];

    test('[PE194] a person who was deactivated answers, declines, claims and delegates nothing', async () => {
      const clients = await known();
      const asked = await admin.ask({ responder: { type: 'human' } });
      await deactivate(clients[0].person);
      for (const client of clients) {
        expect((await client.get('/v1/me')).status).toBe(200);
        for (const attempt of attempts(client, asked.id))
          expect(await attempt).toMatchObject({ status: 409, body: { code: 'person-deactivated' } });
      }
      expect(await read(asked.id)).toEqual(asked);
    });

    test('[PE194] a person who left a group, or whose deputy they were, does not answer for it', async () => {
      await admin.made('/v1/groups', { id: 'left' });
      const absent = await signedIn(admin);
      const clients = await known({ groups: ['left'] });
      const { id } = clients[0].person;
      const deputy = { personId: id, from: isoAt(-1_000), until: isoAt(60_000) };
      expect((await absent.patch(`/v1/people/${absent.person.id}`, { deputy })).status).toBe(200);
      const asked = await askFor(['group:left', `person:${absent.person.id}`]);
      await admin.call(`/v1/groups/left/members/${id}`, { method: 'DELETE' });
      await absent.patch(`/v1/people/${absent.person.id}`, { deputy: null });
      for (const client of clients) {
        expect((await client.get(`/v1/interactions/${asked.id}`)).status).toBe(200);
        for (const attempt of attempts(client, asked.id))
          expect(await attempt).toMatchObject({ status: 403, body: { code: 'wrong-responder' } });
      }
      expect(await read(asked.id)).toEqual(asked);
    });
  });

  test('[PE37] nobody may answer a question that has lost all assignees; admins see and cancel it', async () => {
    const [person, member] = [await invite(admin), await signedIn(admin)];
    const boss = await signedIn(admin, { roles: ['admin', 'member'] });
    const asked = await askFor([`person:${person.id}`]);
    await deactivate(person);
    expect(await answered(member, asked.id)).toMatchObject({ status: 404 });
    expect(await answered(boss, asked.id)).toMatchObject({ status: 403, body: { code: 'wrong-responder' } });
    expect(await admin.answer(asked.id)).toMatchObject({ status: 403, body: { code: 'wrong-responder' } });
    expect((await read(asked.id, boss)).responder.assignees).toEqual([]);
    expect((await boss.post(`/v1/interactions/${asked.id}/cancel`)).status).toBe(200);
  });

  test('[PE37] its metadata and deadline may still change', async () => {
    const person = await invite(admin);
    const asked = await askFor([`person:${person.id}`], { resolution: { mode: 'quorum', count: 1 } });
    await deactivate(person);
    const path = `/v1/interactions/${asked.id}`;
    expect((await admin.patch(path, { metadata: { seen: true } })).status).toBe(200);
    const deadline = { at: '2035-01-01T00:00:00Z', outcome: 'decline' };
    expect((await admin.patch(path, { deadline })).status).toBe(200);
  });

  test('[PE38] votes of the person stay, and the others decide', async () => {
    const [leaver, one, two] = [await signedIn(admin), await signedIn(admin), await signedIn(admin)];
    const assignees = [leaver, one, two].map(({ person }) => `person:${person.id}`);
    const asked = await askFor(assignees, { resolution: { mode: 'quorum', count: 2 } });
    expect((await answered(leaver, asked.id)).status).toBe(200);
    await deactivate(leaver.person);
    expect(await one.answer(asked.id, { choice: 'no' })).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await two.answer(asked.id)).toMatchObject({ status: 200, body: { status: 'answered' } });
    expect((await read(asked.id)).votes).toHaveLength(3);
  });

  test('[PE38] the person leaves later escalations, also those of questions that do not name them yet', async () => {
    const person = await invite(admin);
    const assignee = `person:${person.id}`;
    const at = new Date(server.clock.now() + 3_600_000).toISOString();
    const both = [{ at, assignees: [assignee, 'crew-8'] }];
    const named = await askFor([assignee, 'crew-7'], { escalations: [...both, { at, assignees: [assignee] }] });
    const later = await askFor(['crew-7'], { escalations: both });
    await deactivate(person);
    expect((await read(named.id)).escalations).toEqual([expect.objectContaining({ assignees: ['crew-8'] })]);
    server.clock.offsetMs += 3_600_001;
    await expect
      .poll(async () => (await read(later.id)).responder.assignees, { timeout: 10_000 })
      .toEqual(['crew-7', 'crew-8']);
  });

  test('[PE39] hundreds of questions at once, in pages, while they change', { timeout: 120_000 }, async () => {
    const person = await invite(admin);
    const assignee = `person:${person.id}`;
    const { id: threadId } = await admin.newThread();
    const asked: Interaction[] = [];
    for (let batch = 0; batch < 10; batch++)
      asked.push(
        ...(await Promise.all(
          Array.from({ length: 30 }, () =>
            admin.ask({ responder: { type: 'human', assignees: [assignee, 'crew-7'] } }, threadId),
          ),
        )),
      );
    const [reply] = await Promise.all([
      deactivate(person),
      ...asked.slice(0, 50).map(({ id }) => admin.patch(`/v1/interactions/${id}`, { metadata: { n: id } })),
    ]);
    expect(reply.status).toBe(200);
    expect(await listed(assignee)).toEqual([]);
    for (const { id } of asked) expect((await read(id)).responder.assignees).toEqual(['crew-7']);
  });

  test('[PE39] a question of the same moment is found by the timer', { timeout: 60_000 }, async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => invite(admin)));
    const { id: threadId } = await admin.newThread();
    await Promise.all(
      people.flatMap((person) => [
        admin.post(`/v1/threads/${threadId}/interactions`, {
          ...{ title: 'A?', options: ['yes', 'no'] },
          responder: { type: 'human', assignees: [`person:${person.id}`] },
        }),
        deactivate(person),
      ]),
    );
    server.clock.offsetMs += 61_000;
    const left = async () => (await Promise.all(people.map(({ id }) => listed(`person:${id}`)))).flat();
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });
});
