/** Claims, releases, reassigns and delegates over HTTP, and who is viewing a question. */
import type { Interaction, LogEvent, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { EventReader } from '../events/event-reader.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { invite, type PersonClient, signedIn } from '../people/person-client.ts';

const server = await startSpecServer({ responderRateLimit: 0 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

type Body = Interaction & { code: string; detail: string; current: Record<string, unknown>; errors: object[] };
const doing = (verb: 'claim' | 'release' | 'reassign' | 'delegate' | 'answers') => {
  return (client: SpecClient, id: string, body: object = {}) =>
    client.post<Body>(
      `/v1/interactions/${id}/${verb}`,
      verb === 'answers' ? { values: { choice: 'yes' }, ...body } : body,
    );
};
const [claim, release, reassign, delegate, vote] = [
  doing('claim'),
  doing('release'),
  doing('reassign'),
  doing('delegate'),
  doing('answers'),
];
const named = ({ person }: PersonClient): string => `person:${person.id}`;
const askFor = (assignees: string[], more: object = {}) =>
  admin.ask({ responder: { type: 'human', assignees }, ...more });
const eventsOf = async ({ threadId }: Interaction) =>
  (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log?limit=200`)).body.data;
const idsFor = async (assignee: string) =>
  (await admin.get<Page<Interaction>>(`/v1/interactions?assignee=${assignee}`)).body.data.map(({ id }) => id);

describe('claims', () => {
  test('[PE60][PE61] only the claimer answers until the claim ends or is released', async () => {
    const [ann, ben] = [await signedIn(admin, { name: 'Ann' }), await signedIn(admin, { name: 'Ben' })];
    const asked = await askFor([named(ann), named(ben)]);
    const { id } = asked;
    const claimed = (await claim(ann, id)).body;
    const until = Date.parse(claimed.claim?.until ?? '');
    expect(claimed).toMatchObject({
      version: 2,
      digest: asked.digest,
      claim: { by: { id: ann.person.id, name: 'Ann' } },
    });
    expect(until - Date.parse(claimed.claim?.at ?? '')).toBe(900_000);
    const refused = { status: 409, body: { code: 'interaction-claimed', current: { claim: claimed.claim } } };
    expect(await vote(ben, id)).toMatchObject(refused);
    expect(await claim(ben, id)).toMatchObject(refused);
    expect(await release(ben, id)).toMatchObject(refused);
    expect((await vote(ben, id)).body.detail).toBe(
      `Ann has claimed the question until ${claimed.claim?.until}. Wait, or ask them to release it.`,
    );
    expect((await release(ann, id)).body).not.toHaveProperty('claim');
    expect(await release(ann, id)).toMatchObject({ status: 409, body: { code: 'interaction-not-claimed' } });
    await claim(ann, id, { claimForMs: 60_000 });
    server.clock.offsetMs += 60_000;
    expect((await vote(ben, id)).body.status).toBe('answered');
    expect((await eventsOf(asked)).map(({ type }) => type).slice(2)).toEqual([
      'interaction.claimed',
      'interaction.released',
      'interaction.claimed',
      'interaction.answered',
    ]);
  });

  test('[PE60] the claimer answers through any session, token or key', async () => {
    const ann = await signedIn(admin, { roles: ['admin'] });
    const { id } = await askFor([named(ann), 'ben']);
    await claim(await admin.withToken({ responderId: ann.person.id, interactionId: id }), id);
    expect((await vote(await admin.withToken({ responderId: 'ben', interactionId: id }), id)).body.code).toBe(
      'interaction-claimed',
    );
    expect((await vote(ann, id)).body.status).toBe('answered');
  });

  test('[PE61] an admin releases the claim of somebody else', async () => {
    const { id } = await askFor(['ann']);
    await claim(admin, id, { responder: { type: 'human', id: 'ann' } });
    expect((await release(admin, id)).status).toBe(200);
  });

  test('[PE60] of 20 claims at once, one person has it', async () => {
    const { id } = await admin.ask();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => admin.withToken({ responderId: `p${n}`, interactionId: id })),
    );
    const replies = await Promise.all(tokens.map((client) => claim(client, id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('[PE60] only responders claim, for a minute to a day', async () => {
    const { id } = await askFor(['ann']);
    expect((await claim(await admin.withKey(), id)).body.code).toBe('wrong-responder');
    for (const claimForMs of [59_999, 86_400_001]) expect((await claim(admin, id, { claimForMs })).status).toBe(400);
    const other = await admin.withToken({ responderId: 'ann', interactionId: (await admin.ask()).id });
    expect((await claim(other, id)).status).toBe(404);
  });

  test('[PE60] a repeated call under one idempotency key claims once', async () => {
    const { id } = await admin.ask();
    const once = { 'idempotency-key': 'claim-once' };
    const first = await admin.post<Body>(`/v1/interactions/${id}/claim`, {}, once);
    const second = await admin.post<Body>(`/v1/interactions/${id}/claim`, {}, once);
    expect([first.body.version, second.body.version]).toEqual([2, 2]);
  });
});

describe('reassigning', () => {
  test('[PE64] admins and the key that asked replace the assignees', async () => {
    const [ann, ben] = [await signedIn(admin), await invite(admin)];
    const key = await admin.withKey();
    const asked = await key.ask({ responder: { type: 'human', assignees: [named(ann), 'carl'] } });
    const { id } = asked;
    expect((await reassign(await admin.withKey(), id, { assignees: ['x'] })).status).toBe(403);
    expect((await reassign(ann, id, { assignees: ['x'] })).body.code).toBe('forbidden');
    const body = { assignees: [`person:${ben.email}`, 'dora'], reason: 'On holiday.' };
    const moved = (await reassign(key, id, body)).body;
    expect(moved.responder.assignees).toEqual([`person:${ben.id}`, 'dora']);
    expect(moved.digest).not.toBe(asked.digest);
    expect([await idsFor('carl'), await idsFor('dora')]).toEqual([[], [id]]);
    expect((await ann.get(`/v1/interactions/${id}`)).status).toBe(404);
    const assignees = [`person:${ben.id}`, 'dora'];
    expect((await eventsOf(asked)).at(-1)).toMatchObject({
      ...{ type: 'interaction.reassigned', actor: { type: 'agent', id: key.keyId } },
      data: { added: assignees, removed: [named(ann), 'carl'], assignees, reason: 'On holiday.' },
    });
    expect(await reassign(admin, id, { assignees: ['dora', 'person:nobody'] })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/assignees/1', code: 'unknown' }] },
    });
    expect((await reassign(admin, id, { assignees: [] })).status).toBe(400);
  });
});

describe('delegating', () => {
  test('[PE65] a colleague takes the place, and the first responder no longer has it', async () => {
    const [ann, ben] = [await signedIn(admin, { name: 'Ann' }), await signedIn(admin, { name: 'Ben' })];
    const asked = await askFor([named(ann), 'carl']);
    const { id } = asked;
    expect((await vote(ben, id)).status).toBe(404);
    const once = { 'idempotency-key': 'delegate-once' };
    const body = { to: `person:${ben.person.email}`, reason: 'You know this better.' };
    const moved = await ann.post<Body>(`/v1/interactions/${id}/delegate`, body, once);
    expect(moved.body.responder.assignees).toEqual([named(ben), 'carl']);
    // The repeated call returns the question, although Ann no longer sees it.
    expect((await ann.post<Body>(`/v1/interactions/${id}/delegate`, body, once)).body.version).toBe(2);
    expect((await vote(ann, id)).status).toBe(404);
    expect(await idsFor(named(ann))).toEqual([]);
    expect((await eventsOf(asked)).at(-1)).toMatchObject({
      actor: { id: ann.person.id },
      data: { added: [named(ben)], removed: [named(ann)], from: named(ann), reason: 'You know this better.' },
    });
    expect((await vote(ben, id)).body.answer).toMatchObject({ assignee: named(ben), by: { name: 'Ben' } });
  });

  test('[PE65] a member of a group adds a colleague', async () => {
    const [ann, ben] = [await signedIn(admin), await signedIn(admin)];
    await admin.made('/v1/groups', { id: 'ops' });
    await admin.made('/v1/groups/ops/members', { personId: ann.person.id });
    const { id } = await askFor(['group:ops']);
    expect((await delegate(ann, id, { to: named(ben) })).body.responder.assignees).toEqual(['group:ops', named(ben)]);
    expect((await ann.get(`/v1/interactions/${id}`)).status).toBe(200);
    expect((await vote(ben, id)).body.status).toBe('answered');
  });

  test('[PE65] only to a person who exists and is active', async () => {
    const ann = await signedIn(admin);
    const gone = await invite(admin);
    await admin.patch(`/v1/people/${gone.id}`, { status: 'deactivated' });
    const { id } = await askFor([named(ann)]);
    for (const [to, code] of [
      ['person:nobody', 'unknown'],
      [`person:${gone.id}`, 'deactivated'],
      [named(ann), 'same'],
      ['group:ops', 'person'],
    ])
      expect(await delegate(ann, id, { to })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/to', code }] },
      });
  });

  test('[PE66] the requester is no colleague to hand it to', async () => {
    const [ann, ben] = [await signedIn(admin, { roles: ['admin'] }), await signedIn(admin)];
    const { id: threadId } = await ann.newThread();
    const responder = { type: 'human', assignees: [named(ben)], notRequester: true };
    const { id } = await admin.ask({ responder }, threadId);
    expect(await delegate(ben, id, { to: named(ann) })).toMatchObject({ status: 403, body: { code: 'not-requester' } });
    expect((await reassign(admin, id, { assignees: [named(ann)] })).status).toBe(200);
    expect((await vote(ann, id)).body.code).toBe('not-requester');
    expect((await claim(ann, id)).body.code).toBe('not-requester');
  });
});

describe('viewing', () => {
  const report = (client: SpecClient, id: string, isViewing = true) =>
    client.post(`/v1/interactions/${id}/viewing`, { isViewing });

  test('[PE80][PE81] open streams of the question get it, and nothing is stored', async () => {
    const asked = await askFor(['ann']);
    const other = await admin.ask({}, asked.threadId);
    const ann = await admin.withToken({ responderId: 'ann', interactionId: asked.id });
    const streams = await Promise.all([
      EventReader.open(admin, `/v1/events?ephemeral=true&threadId=${asked.threadId}`),
      EventReader.open(ann, '/v1/events?ephemeral=true'),
      EventReader.open(admin, `/v1/events?ephemeral=true&interactionId=${other.id}`),
    ]);
    for (const isViewing of [true, true, false]) {
      expect(await report(ann, asked.id, isViewing)).toMatchObject({ status: 200, body: {} });
      server.clock.offsetMs += 1_000;
    }
    expect(
      await report(await admin.withToken({ responderId: 'bob', threadId: other.threadId }), other.id),
    ).toMatchObject({
      status: 200,
    });
    const [ofThread, ofQuestion, ofOther] = streams;
    const data = { interactionId: asked.id, by: { type: 'human', id: 'ann', via: 'token' }, isViewing: true };
    expect(await ofQuestion?.take(2)).toMatchObject([
      { type: 'interaction.viewing', threadId: asked.threadId, actor: data.by, data },
      { data: { isViewing: false } },
    ]);
    expect(await ofThread?.take(3)).toMatchObject([
      { data },
      { data: { isViewing: false } },
      { data: { interactionId: other.id } },
    ]);
    expect(await ofOther?.take(1)).toMatchObject([{ data: { interactionId: other.id, by: { id: 'bob' } } }]);
    expect(ofQuestion?.left).toEqual([]);
    expect(await eventsOf(asked)).toHaveLength(3);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test('[PE80] for those who may see the question, and for people', async () => {
    const { id } = await askFor(['ann']);
    const stranger = await signedIn(admin);
    expect((await report(stranger, id)).status).toBe(404);
    expect((await report(await admin.withKey(), id)).status).toBe(403);
    expect((await report(admin, id)).status).toBe(200);
  });
});
