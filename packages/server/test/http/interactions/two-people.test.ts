/** Counts people over HTTP: the requester never, and every other person once. */
import type { Answer, ApiKey, CreatedApiKey, Interaction, Person, Run } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { enter, invite, type PersonClient, signedIn } from '../people/person-client.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const dayMs = 86_400_000;
const isoAt = (time: number): string => new Date(time).toISOString();
const named = ({ person }: PersonClient): string => `person:${person.id}`;
const vote = (client: SpecClient, id: string, more: object = {}) =>
  client.post<Interaction & { code: string; detail: string; current: Record<string, unknown> }>(
    `/v1/interactions/${id}/answers`,
    { values: { choice: 'yes' }, ...more },
  );
const read = async (id: string) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const keyOf = async (client: SpecClient): Promise<SpecClient & { keyId: string }> => client.withKey('admin');
const group = async (id: string, ...members: PersonClient[]): Promise<string> => {
  await admin.made('/v1/groups', { id, name: `The ${id}` });
  for (const { person } of members) await admin.made(`/v1/groups/${id}/members`, { personId: person.id });
  return `group:${id}`;
};
const standIn = (absent: PersonClient, deputy: PersonClient, days = 1) =>
  absent.patch<Person>(`/v1/people/${absent.person.id}`, {
    deputy: {
      personId: deputy.person.id,
      from: isoAt(server.clock.now() - 1_000),
      until: isoAt(server.clock.now() + days * dayMs),
    },
  });

describe('not the requester', () => {
  const responder = { type: 'human', notRequester: true };
  const excluded = { status: 403, body: { code: 'not-requester' } };

  test('[PE51] the person who started the thread, with sessions, tokens and keys', async () => {
    const ann = await signedIn(admin, { name: 'Ann', roles: ['admin'] });
    const ben = await signedIn(admin, { name: 'Ben' });
    const key = await keyOf(ann);
    const { id: threadId } = await ann.newThread();
    const agent = await admin.withKey();
    const { id } = await agent.ask({ responder }, threadId);
    expect(await vote(ann, id)).toMatchObject({
      status: 403,
      body: {
        code: 'not-requester',
        detail: expect.stringContaining('You asked this question, or started its run or thread'),
        current: { status: 'pending' },
      },
    });
    const token = await admin.withToken({ responderId: ann.person.id, interactionId: id });
    const byEmail = await admin.withToken({ responderId: ann.person.email, interactionId: id });
    for (const client of [token, byEmail, key]) expect(await vote(client, id)).toMatchObject(excluded);
    expect(await vote(agent, id)).toMatchObject({ status: 403, body: { code: 'wrong-responder' } });
    expect(await vote(key, id, { responder: { type: 'human', id: 'somebody' } })).toMatchObject(excluded);
    expect(await vote(admin, id, { responder: { type: 'human', id: named(ann) } })).toMatchObject(excluded);
    expect((await ann.post(`/v1/interactions/${id}/decline`)).body).toMatchObject({ code: 'not-requester' });
    expect((await read(id)).votes).toEqual([]);
    expect(await vote(ben, id)).toMatchObject({ status: 200, body: { status: 'answered' } });
  });

  test('[PE51] the key that asked, its tokens, and the person who created it', async () => {
    const ann = await signedIn(admin, { roles: ['admin'] });
    const key = await keyOf(ann);
    const { id } = await key.ask({ responder });
    const token = await key.withToken({ responderId: 'carl', interactionId: id });
    for (const client of [ann, key, token]) expect(await vote(client, id)).toMatchObject(excluded);
    const other = await admin.withToken({ responderId: 'carl', interactionId: id });
    expect((await vote(other, id)).status).toBe(200);
  });

  test('[PE190] the tokens and sign-in links that a requester created, in their session', async () => {
    const boss = await signedIn(admin, { name: 'Boss', roles: ['admin'] });
    const other = await signedIn(admin, { name: 'Other', roles: ['admin'] });
    const ben = await enter(boss, await invite(boss, { name: 'Ben', email: 'ben-190@example.com', roles: ['admin'] }));
    const agent = await keyOf(boss);
    const { id } = await agent.ask({ responder });
    const token = (by: SpecClient, responderId: string) => by.withToken({ responderId, interactionId: id });
    const byBoss = [await token(boss, 'carl'), await token(boss, 'ben-190@example.com'), await token(ben, 'carl')];
    for (const client of byBoss) {
      const refusal = await vote(client, id);
      expect(refusal).toMatchObject(excluded);
      expect(refusal.body.detail).toContain('created your token, so it must be answered with another one');
      expect(refusal.body.detail).toContain('any person, except the requester');
      expect(await client.post(`/v1/interactions/${id}/claim`)).toMatchObject(excluded);
    }
    const inSession = await vote(ben, id);
    expect(inSession).toMatchObject(excluded);
    expect(inSession.body.detail).toContain('created your sign-in link. Sign in with a passkey');
    const link = await other.made<{ url: string }>('/v1/sign-in-links', { personId: ben.person.id });
    const again = await enter(boss, { ...ben.person, invitation: { ...link, expiresAt: '' } });
    expect((await vote(again, id)).body.answer?.by).toMatchObject({
      ...{ id: ben.person.id, via: 'link', issuedBy: [other.person.id] },
    });
    const { id: second } = await agent.ask({ responder });
    const byOther = await other.withToken({ responderId: 'carl', interactionId: second });
    expect((await vote(byOther, second)).body.answer?.by).toMatchObject({ via: 'token', issuedBy: [other.person.id] });
  });

  test('[PE190] who created the token of the requester', async () => {
    const [boss, other] = [await signedIn(admin, { roles: ['admin'] }), await signedIn(admin, { roles: ['admin'] })];
    const thread = await admin.newThread({ agent: 'helper-190' });
    const writer = await boss.withToken({ responderId: 'wil', threadId: thread.id });
    await writer.made(`/v1/threads/${thread.id}/messages`, { text: 'Pay it.' });
    const worker = await admin.withKey();
    const { data: batches } = await worker.made<{ data: { id: string }[] }>('/v1/dispatch/claim', {
      ...{ workerId: 'w1', agents: ['helper-190'], waitMs: 5_000 },
    });
    const { run } = await worker.made<{ run: Run }>(`/v1/dispatch/batches/${batches[0]?.id}/run`, { workerId: 'w1' });
    const { id } = await (await admin.withKey()).ask({ responder, run: { id: run.id } }, thread.id);
    expect(await vote(boss, id)).toMatchObject(excluded);
    expect((await vote(other, id)).status).toBe(200);
  });

  test('[PE51] the author of the message that the run works on', async () => {
    const thread = await admin.newThread({ agent: 'helper-of-two-people' });
    const writer = await admin.withToken({ responderId: 'wil', threadId: thread.id });
    await writer.made(`/v1/threads/${thread.id}/messages`, { text: 'Pay it.' });
    const worker = await admin.withKey();
    const { data: batches } = await worker.made<{ data: { id: string }[] }>('/v1/dispatch/claim', {
      ...{ workerId: 'w1', agents: ['helper-of-two-people'], waitMs: 5_000 },
    });
    const { run } = await worker.made<{ run: Run }>(`/v1/dispatch/batches/${batches[0]?.id}/run`, { workerId: 'w1' });
    expect(run.startedBy).toMatchObject({ type: 'agent', id: worker.keyId });
    const asking = await admin.withKey();
    const { id } = await asking.ask({ responder, run: { id: run.id } }, thread.id);
    expect(await vote(writer, id)).toMatchObject(excluded);
    const reader = await admin.withToken({ responderId: 'rita', threadId: thread.id });
    expect((await vote(reader, id)).status).toBe(200);
  });

  test('[PE51] a grant of the requester does not answer', async () => {
    const ann = await signedIn(admin, { roles: ['admin'] });
    const { id: threadId } = await ann.newThread();
    const agent = await admin.withKey();
    const question = (more: object) => ({
      ...{ kind: 'approval', arguments: { to: 'prod' }, grant: { key: 'two-people', scope: 'thread' } },
      options: [
        { value: 'ever', label: 'Always', kind: 'allow_always' },
        { value: 'no', label: 'No', kind: 'reject_once' },
      ],
      ...more,
    });
    const first = await agent.ask(question({}), threadId);
    expect((await vote(ann, first.id, { values: { decision: 'ever' } })).status).toBe(200);
    expect((await agent.ask(question({}), threadId)).status).toBe('answered');
    expect((await agent.ask(question({ responder }), threadId)).status).toBe('pending');
  });

  test('[PE51] a digest covers notRequester, and questions without it keep theirs', async () => {
    const { id: threadId } = await admin.newThread();
    const digestOf = async (more: object) =>
      (await admin.ask({ responder: { type: 'human', ...more } }, threadId)).digest;
    const plain = await digestOf({});
    expect(await digestOf({ notRequester: false })).toBe(plain);
    expect(await digestOf({ notRequester: true })).not.toBe(plain);
  });
});

describe('one person counts once', () => {
  const resolution = { mode: 'quorum', count: 2 };
  const once = { status: 409, body: { code: 'already-voted' } };

  test('[PE54] with browsers, a new name, tokens, a link, keys and as a deputy', async () => {
    const ann = await signedIn(admin, { name: 'Ann', roles: ['admin'] });
    const ben = await signedIn(admin, { name: 'Ben' });
    const key = await keyOf(ann);
    const { id } = await admin.ask({
      resolution,
      responder: { type: 'human', assignees: [named(ann), named(ben), `person:${ann.person.email}`, 'anna'] },
    });
    expect(await vote(ann, id)).toMatchObject({ status: 200, body: { status: 'pending' } });
    await ann.patch(`/v1/people/${ann.person.id}`, { name: 'Anna' });
    await standIn(ben, ann);
    const tokens = await Promise.all(
      [ann.person.id, named(ann), ann.person.email].map((responderId) =>
        admin.withToken({ responderId, interactionId: id }),
      ),
    );
    for (const client of [ann, key, ...tokens]) expect(await vote(client, id)).toMatchObject(once);
    expect(await vote(key, id, { responder: { type: 'human', id: 'anna' } })).toMatchObject(once);
    expect(await vote(key, id, { responder: { type: 'human', id: named(ann) } })).toMatchObject(once);
    expect((await read(id)).votes).toHaveLength(1);
    expect(await vote(ben, id)).toMatchObject({ status: 200, body: { status: 'answered' } });
  });

  test('[PE54] keys that one person created, one after the other', async () => {
    const ann = await signedIn(admin, { roles: ['admin'] });
    const [one, two] = [await keyOf(ann), await keyOf(ann)];
    const three = await keyOf(two);
    const created = await ann.get<{ data: ApiKey[] }>('/v1/keys?limit=200');
    expect(created.body.data.find(({ id }) => id === one.keyId)?.createdBy).toMatchObject({
      type: 'human',
      id: ann.person.id,
    });
    const { id } = await admin.ask({ resolution });
    expect((await vote(one, id)).body.votes).toMatchObject([
      { by: { id: `key:${one.keyId}` }, countsAs: ann.person.id },
    ]);
    for (const client of [two, three, ann]) expect(await vote(client, id)).toMatchObject(once);
    // The key of the configuration has no creator, and is another responder.
    expect((await vote(admin, id)).body.status).toBe('answered');
  });

  test('[PE191] a vote under an email and then as the person who was invited with it', async () => {
    const [email, cy] = ['Eva-191@Example.com', await signedIn(admin)];
    const asking = { resolution, responder: { type: 'human', assignees: [email, named(cy), 'group:new-191'] } };
    await group('new-191');
    const [{ id }, { id: other }] = [await admin.ask(asking), await admin.ask(asking)];
    const byEmail = await admin.withToken({ responderId: email, interactionId: id });
    expect((await vote(byEmail, id)).body.votes).toMatchObject([{ by: { id: email } }]);
    const eva = await signedIn(admin, { email: email.toLowerCase(), groups: ['new-191'], roles: ['admin'] });
    const key = await keyOf(eva);
    for (const client of [eva, byEmail]) expect(await vote(client, id)).toMatchObject(once);
    expect(await vote(key, id, { responder: { type: 'human', id: named(cy) } })).toMatchObject(once);
    const deputy = await signedIn(admin);
    await standIn(eva, deputy);
    expect(await vote(deputy, id)).toMatchObject(once);
    expect((await vote(eva, other)).status).toBe(200);
    expect((await vote(cy, id)).body.status).toBe('answered');
  });

  test('[PE54] of 20 votes of one person at once, one is taken', async () => {
    const ann = await signedIn(admin);
    const { id } = await admin.ask({ resolution });
    const token = await admin.withToken({ responderId: ann.person.id, interactionId: id });
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => vote(n % 2 ? ann : token, id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await read(id)).votes).toHaveLength(1);
  });
});

describe('groups', () => {
  test('[PE50] membership is evaluated at the time of the answer, and the vote records the group', async () => {
    const [ann, ben] = [await signedIn(admin, { name: 'Ann' }), await signedIn(admin, { name: 'Ben' })];
    const crew = await group('crew', ann);
    const { id } = await admin.ask({ responder: { type: 'human', assignees: [crew, named(ann)] } });
    const tokenOfBen = await admin.withToken({ responderId: ben.person.id, interactionId: id });
    expect(await vote(tokenOfBen, id)).toMatchObject({
      status: 403,
      body: {
        code: 'wrong-responder',
        detail: 'The question is for human the group The crew, Ann. You are human Ben.',
        current: {
          responders: [
            { assignee: crew, name: 'The crew' },
            { assignee: named(ann), name: 'Ann' },
          ],
        },
      },
    });
    await admin.made(`/v1/groups/crew/members`, { personId: ben.person.id });
    expect((await vote(tokenOfBen, id)).body.answer).toMatchObject({ assignee: crew, by: { id: ben.person.id } });
  });

  test('[PE56][PE57] two of one group and one of another', async () => {
    const [ann, ben, cy, dan] = await Promise.all(['Ann', 'Ben', 'Cy', 'Dan'].map((name) => signedIn(admin, { name })));
    if (!ann || !ben || !cy || !dan) throw new Error('nobody');
    await group('money', ann, ben, cy);
    await group('law', ann, dan);
    const of = [
      { group: 'money', count: 2 },
      { group: 'law', count: 1 },
    ];
    const asked = await admin.ask({ resolution: { mode: 'quorum', of } });
    expect(asked.responder.assignees).toEqual(['group:money', 'group:law']);
    for (const each of [ann, ben]) expect((await vote(each, asked.id)).body.status).toBe('pending');
    // Somebody who leaves afterwards has voted as a member.
    await admin.call(`/v1/groups/money/members/${ben.person.id}`, { method: 'DELETE' });
    const closed = (await vote(cy, asked.id)).body;
    expect(closed).toMatchObject({ status: 'answered', answer: { groups: ['money'] } });
    expect(closed.votes.map(({ groups }: Answer) => groups)).toEqual([['money', 'law'], ['money'], ['money']]);

    const { id: threadId } = await admin.newThread();
    const unknown = await admin.post(`/v1/threads/${threadId}/interactions`, {
      ...{ title: 'Well?', resolution: { mode: 'quorum', of: [...of, { group: 'nowhere', count: 1 }] } },
    });
    expect(unknown).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/resolution/of/2/group', code: 'unknown' }] },
    });
  });
});

describe('deputies', () => {
  test('[PE55] a deputy sees and answers what names the absent person, in the period only', async () => {
    const [ann, ben] = [await signedIn(admin, { name: 'Ann' }), await signedIn(admin, { name: 'Ben' })];
    const sea = await group('sea', ann);
    const { id } = await admin.ask({ responder: { type: 'human', assignees: [sea] } });
    expect((await vote(ben, id)).status).toBe(404);
    expect((await standIn(ann, ben)).status).toBe(200);
    const listed = await ben.get<{ data: Interaction[] }>('/v1/interactions?status=pending&limit=200');
    expect(listed.body.data.map((each) => each.id)).toContain(id);
    server.clock.offsetMs += 2 * dayMs;
    expect((await vote(ben, id)).status).toBe(404);
    expect((await standIn(ann, ben)).status).toBe(200);
    expect((await vote(ben, id)).body.answer).toMatchObject({
      by: { id: ben.person.id, name: 'Ben', onBehalfOf: ann.person.id },
      assignee: sea,
    });
  });

  test('[PE55] another deputy ends the right of the first, and so does a deactivation', async () => {
    const [ann, ben, cy] = [await signedIn(admin), await signedIn(admin), await signedIn(admin)];
    const { id } = await admin.ask({ responder: { type: 'human', assignees: [named(ann), 'else'] } });
    await standIn(ann, ben);
    expect((await ben.get(`/v1/interactions/${id}`)).status).toBe(200);
    await standIn(ann, cy);
    expect((await vote(ben, id)).status).toBe(404);
    await admin.patch(`/v1/people/${ann.person.id}`, { deputy: null });
    expect((await vote(cy, id)).status).toBe(404);
    await standIn(ann, cy);
    await admin.patch(`/v1/people/${ann.person.id}`, { status: 'deactivated' });
    expect((await vote(cy, id)).status).toBe(404);
  });

  test('[PE55] the absent person cannot vote after the deputy', async () => {
    const [ann, ben, cy] = [await signedIn(admin), await signedIn(admin), await signedIn(admin)];
    const { id } = await admin.ask({
      ...{ resolution: { mode: 'quorum', count: 2 }, responder: { type: 'human', assignees: [named(ann), named(cy)] } },
    });
    await standIn(ann, ben);
    await standIn(cy, ben);
    expect((await vote(ben, id)).body.status).toBe('pending');
    expect((await vote(ben, id)).body.code).toBe('already-voted');
    expect((await vote(ann, id)).body.code).toBe('already-voted');
    expect((await vote(cy, id)).body.status).toBe('answered');
  });

  test('[PE55] one person stands in for at most 50', async () => {
    const deputy = await signedIn(admin);
    const period = { from: isoAt(server.clock.now()), until: isoAt(server.clock.now() + dayMs) };
    const set = async (): Promise<number> => {
      const { id } = await invite(admin);
      return (await admin.patch(`/v1/people/${id}`, { deputy: { personId: deputy.person.id, ...period } })).status;
    };
    for (let n = 0; n < 50; n++) expect(await set()).toBe(200);
    expect(await set()).toBe(400);
  });
});

test('[PE54] a key shows who created it', async () => {
  const key = await admin.made<CreatedApiKey>('/v1/keys', { name: 'a key', role: 'agent' });
  expect(key.createdBy).toEqual({ type: 'agent', id: 'admin', via: 'key', keyId: 'admin' });
});
