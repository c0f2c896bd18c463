/** Members see questions for them, for their groups and for anyone, and no others. */
import type { CountedInteractions, Interaction, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { header } from '../access/console-caller.ts';
import { EventReader } from '../events/event-reader.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { type PersonClient, signedIn } from './person-client.ts';

const server = await startSpecServer({ responderRateLimit: 100_000 });
afterAll(() => server[Symbol.asyncDispose]());

let orgs = 0;

/** An org of its own with two members of one group and an auditor. */
async function newOrg() {
  const admin = await server.admin.withOrg(`scope-${orgs++}`);
  await admin.made('/v1/groups', { id: 'crew' });
  const [ann, ben, auditor] = await Promise.all([
    signedIn(admin, { groups: ['crew'] }),
    signedIn(admin),
    signedIn(admin, { roles: ['auditor'] }),
  ]);
  const ask = (assignees: string[] | undefined, more: object = {}) =>
    admin.ask({ responder: { type: 'human', ...(assignees && { assignees }) }, ...more });
  return { admin, ann, ben, auditor, ask };
}

const personOf = ({ person }: PersonClient) => `person:${person.id}`;
const idsOf = (asked: readonly { id: string }[]) => asked.map(({ id }) => id);
const listed = async (client: PersonClient, query = '') =>
  idsOf((await client.get<Page<Interaction>>(`/v1/interactions?limit=200${query}`)).body.data);
const counted = async (client: PersonClient, query = '') =>
  (await client.get<CountedInteractions>(`/v1/interactions/count?${query}`)).body;

describe('lists and counts', () => {
  test('[PE8] have the questions for the member, for a group and for anyone, pending and closed', async () => {
    const { admin, ann, ben, auditor, ask } = await newOrg();
    const [forAnn, forBen, forCrew, forBoth] = [
      await ask([personOf(ann)]),
      await ask([personOf(ben)]),
      await ask(['group:crew']),
      await ask([personOf(ann), 'group:crew', personOf(ben)]),
    ];
    const forAnyone = await ask(undefined);
    const forAnything = await admin.ask({ responder: { type: 'any' } });
    const others = [await admin.ask({ responder: { type: 'agent' } }), await ask(['crew-7']), await ask(['ann'])];
    const all = [forAnn, forBen, forCrew, forBoth, forAnyone, forAnything, ...others];
    const ofAnn = idsOf([forAnn, forCrew, forBoth, forAnyone, forAnything]);
    const ofBen = idsOf([forBen, forBoth, forAnyone, forAnything]);
    for (const [client, wanted] of [
      [ann, ofAnn],
      [ben, ofBen],
      [auditor, idsOf(all)],
    ] as const)
      for (const query of ['', '&status=pending', '&order=newest', '&status=pending&order=newest']) {
        expect(await listed(client, query)).toEqual(query.includes('newest') ? wanted.toReversed() : wanted);
        expect(await counted(client, query.replace('&order=newest', ''))).toEqual({ count: wanted.length });
      }
    for (const { id } of all) {
      expect((await ann.get(`/v1/interactions/${id}`)).status).toBe(ofAnn.includes(id) ? 200 : 404);
      expect((await ben.get(`/v1/interactions/${id}`)).status).toBe(ofBen.includes(id) ? 200 : 404);
    }

    for (const { id } of all) await admin.post(`/v1/interactions/${id}/cancel`);
    for (const query of ['', '&status=cancelled']) {
      expect(await listed(ann, query)).toEqual(ofAnn);
      expect(await counted(ben, query)).toEqual({ count: ofBen.length });
    }
    expect(await listed(ann, '&status=pending')).toEqual([]);
    expect(await counted(ann, 'status=pending')).toEqual({ count: 0 });
    expect(await listed(ann, '&status=answered')).toEqual([]);
  });

  test('[PE8] a question stays in sight of a member who has answered it', async () => {
    const { admin, ann, ask } = await newOrg();
    const asked = await ask(['group:crew'], { resolution: { mode: 'quorum', count: 2 } });
    expect((await ann.answer(asked.id)).status).toBe(200);
    await admin.call(`/v1/groups/crew/members/${ann.person.id}`, { method: 'DELETE' });
    const next = await ask(['group:crew']);
    await expect.poll(() => ann.get(`/v1/interactions/${next.id}`)).toMatchObject({ status: 404 });
    expect((await ann.get(`/v1/interactions/${asked.id}`)).status).toBe(200);
    expect(await listed(ann)).toEqual([asked.id]);
  });

  test('[PE8] a filter by assignee is narrowed to what the member sees', async () => {
    const { ann, ben, ask } = await newOrg();
    const both = await ask([personOf(ann), personOf(ben)]);
    const [mine, ofCrew] = [await ask([personOf(ann)]), await ask(['group:crew'])];
    await ask([personOf(ben)]);
    await ask(undefined);
    const by = (assignee: string) => `&assignee=${encodeURIComponent(assignee)}`;
    for (const [assignee, wanted] of [
      [personOf(ann), [both, mine]],
      ['group:crew', [ofCrew]],
      [personOf(ben), [both]],
      ['group:other', []],
    ] as const)
      for (const status of ['', '&status=pending']) {
        expect(await listed(ann, by(assignee) + status), assignee).toEqual(idsOf(wanted));
        expect(await counted(ann, (by(assignee) + status).slice(1)), assignee).toEqual({ count: wanted.length });
      }
    expect(await listed(ann, `${by(personOf(ann))}&status=answered`)).toEqual([]);
  });

  test('[PE8] other filters, archived threads and pages are the same as for all', async () => {
    const { admin, ann, ask } = await newOrg();
    const asked: Interaction[] = [];
    for (let n = 0; n < 9; n++) asked.push(await ask([[personOf(ann)], ['group:crew'], undefined, ['crew-7']][n % 4]));
    const own = idsOf(asked.filter((_, n) => n % 4 !== 3));
    for (const status of ['', '&status=pending']) {
      const seen: string[] = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const cursor: string = next === '' ? '' : `&cursor=${next}`;
        const { body }: { body: Page<Interaction> } = await ann.get(`/v1/interactions?limit=2${status}${cursor}`);
        expect(body.data.length).toBeLessThanOrEqual(2);
        seen.push(...idsOf(body.data));
        next = body.next;
      }
      expect(seen).toEqual(own);
    }
    const threadId = asked[0]?.threadId;
    expect(await listed(ann, `&threadId=${threadId}`)).toEqual(own.slice(0, 1));
    expect(await listed(ann, `&threadId=${asked[3]?.threadId}&status=pending`)).toEqual([]);
    await admin.patch(`/v1/threads/${threadId}`, { isArchived: true });
    for (const status of ['', '&status=pending']) {
      expect(await counted(ann, `archived=true${status}`)).toEqual({ count: 1 });
      expect(await counted(ann, `archived=false${status}`)).toEqual({ count: own.length - 1 });
    }
  });

  test('[PE9] an offset skips pending questions; others are listed by cursor', async () => {
    const { ann, ask } = await newOrg();
    const asked = [await ask([personOf(ann)]), await ask(undefined), await ask(['group:crew'])];
    expect(await listed(ann, '&status=pending&offset=1')).toEqual(idsOf(asked.slice(1)));
    expect(await ann.get('/v1/interactions?offset=1')).toMatchObject({
      status: 400,
      body: { code: 'invalid-input', errors: [{ pointer: '/query/offset' }] },
    });
  });

  test('[PE9] a page that finds few is short, and its cursor continues', { timeout: 60_000 }, async () => {
    const { admin, ann, ask } = await newOrg();
    const { id: threadId } = await admin.newThread();
    const first = await ask(undefined);
    for (let batch = 0; batch < 30; batch++)
      await Promise.all(Array.from({ length: 70 }, () => admin.ask({ responder: { type: 'agent' } }, threadId)));
    const last = await ask(undefined);
    const path = '/v1/interactions?limit=200';
    const { body } = await ann.get<Page<Interaction>>(path);
    expect(idsOf(body.data)).toEqual([first.id]);
    const rest = await ann.get<Page<Interaction>>(`${path}&cursor=${body.next}`);
    expect(rest.body).toMatchObject({ data: [{ id: last.id }] });
    expect(rest.body.next).toBeUndefined();
    expect(await counted(ann)).toEqual({ count: 1, isPartial: true });
    expect(await counted(ann, 'status=pending')).toEqual({ count: 2 });
  });
});

describe('events', () => {
  const follow = (client: PersonClient, path?: string) =>
    EventReader.open(client, path, { ...header, cookie: client.cookie });
  const received = async (reader: EventReader, count: number) =>
    (await reader.take(count)).map(({ type, interactionId }) => `${type} ${interactionId}`);

  test('[PE10] a member follows the questions that they see, of any thread, from now on', async () => {
    const { admin, ann, ben, ask } = await newOrg();
    const early = await ask(['group:crew']);
    const [hers, his] = [await follow(ann), await follow(ben)];
    const forBen = await ask([personOf(ben)]);
    await admin.ask({ responder: { type: 'agent' } });
    await admin.made(`/v1/threads/${early.threadId}/messages`, { text: 'not for an inbox' });
    const [forCrew, forAnyone] = [await ask(['group:crew']), await ask(undefined)];
    for (const { id } of [forBen, early, forAnyone]) await admin.post(`/v1/interactions/${id}/cancel`);
    expect(await received(hers, 4)).toEqual([
      `interaction.created ${forCrew.id}`,
      `interaction.created ${forAnyone.id}`,
      `interaction.cancelled ${early.id}`,
      `interaction.cancelled ${forAnyone.id}`,
    ]);
    expect(await received(his, 4)).toEqual([
      `interaction.created ${forBen.id}`,
      `interaction.created ${forAnyone.id}`,
      `interaction.cancelled ${forBen.id}`,
      `interaction.cancelled ${forAnyone.id}`,
    ]);
    expect([hers.left, his.left]).toEqual([[], []]);
    await Promise.all([hers.close(), his.close()]);
  });

  test('[PE10] or one question, from any cursor; no thread, and no other question', async () => {
    const { ann, ben, ask } = await newOrg();
    const asked = await ask([personOf(ann)]);
    const reader = await follow(ann, `/v1/events?interactionId=${asked.id}&after=start`);
    await ann.answer(asked.id);
    expect(await received(reader, 2)).toEqual([`interaction.created ${asked.id}`, `interaction.answered ${asked.id}`]);
    await reader.close();
    expect((await ann.get('/v1/events?after=start')).body).toMatchObject({ code: 'forbidden' });
    expect((await ann.get(`/v1/events?threadId=${asked.threadId}`)).status).toBe(404);
    expect((await ben.get(`/v1/events?interactionId=${asked.id}`)).status).toBe(404);
  });

  test('[PE192] a stream ends soon after its person would be sent other events, and the next one is right', async () => {
    // Only intervals are false: sockets and the store go on as ever.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { admin, ann, ben, auditor, ask } = await newOrg();
      const cy = await signedIn(admin, { groups: ['crew'] });
      const dan = await signedIn(admin);
      const [forCrew, forDan] = [await ask(['group:crew']), await ask([personOf(dan)])];
      const ofCrew = `/v1/events?interactionId=${forCrew.id}&after=start`;
      const ofDan = `/v1/events?interactionId=${forDan.id}&after=start`;
      const leaving = [await follow(ann), await follow(ann, ofCrew)];
      const [deputy, demoted, reassigned, unchanged] = [
        await follow(ben),
        await follow(auditor),
        await follow(dan, ofDan),
        await follow(cy, ofCrew),
      ];
      await admin.call(`/v1/groups/crew/members/${ann.person.id}`, { method: 'DELETE' });
      await admin.patch(`/v1/people/${auditor.person.id}`, { roles: ['member'] });
      await admin.made(`/v1/interactions/${forDan.id}/reassign`, { assignees: [personOf(ben)] });
      const day = (days: number) => new Date(server.clock.now() + days * 86_400_000).toISOString();
      await cy.patch(`/v1/people/${cy.person.id}`, {
        deputy: { personId: ben.person.id, from: day(0), until: day(1) },
      });
      server.clock.offsetMs += 1_000;
      vi.advanceTimersByTime(15_000);
      await Promise.all([...leaving, deputy, demoted, reassigned].map((reader) => reader?.ended));

      const again = [await follow(ann), await follow(ben)] as const;
      await admin.post(`/v1/interactions/${forCrew.id}/cancel`);
      expect(await received(again[1], 1)).toEqual([`interaction.cancelled ${forCrew.id}`]);
      expect(await received(unchanged, 2)).toEqual([
        `interaction.created ${forCrew.id}`,
        `interaction.cancelled ${forCrew.id}`,
      ]);
      const { id } = await ask([personOf(ann)]);
      expect(await received(again[0], 1)).toEqual([`interaction.created ${id}`]);
      await Promise.all([...again, unchanged].map((reader) => reader.close()));
    } finally {
      server.clock.offsetMs = 0;
      vi.useRealTimers();
    }
  });

  test('[PE192] a stream of one question that ended continues at its cursor', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { admin, ann, ask } = await newOrg();
      const asked = await ask(['group:crew', personOf(ann)], { resolution: { mode: 'quorum', count: 2 } });
      const path = `/v1/events?interactionId=${asked.id}`;
      const reader = await follow(ann, `${path}&after=start`);
      await received(reader, 1);
      await admin.made(`/v1/interactions/${asked.id}/reassign`, { assignees: ['somebody', 'else'] });
      await received(reader, 1);
      server.clock.offsetMs += 1_000;
      vi.advanceTimersByTime(15_000);
      await reader.ended;
      await admin.post(`/v1/interactions/${asked.id}/reassign`, { assignees: ['else', personOf(ann)] });
      await ann.answer(asked.id);
      const resumed = await follow(ann, `${path}&after=${reader.lastId}`);
      expect(await received(resumed, 2)).toEqual([
        `interaction.reassigned ${asked.id}`,
        `interaction.voted ${asked.id}`,
      ]);
      await resumed.close();
    } finally {
      server.clock.offsetMs = 0;
      vi.useRealTimers();
    }
  });

  test('[PE10] auditors and admins follow the whole org', async () => {
    const { admin, auditor } = await newOrg();
    const reader = await follow(auditor);
    const { id } = await admin.ask({ responder: { type: 'agent' } });
    expect((await reader.take(2))[1]).toMatchObject({ type: 'interaction.created', interactionId: id });
    await reader.close();
  });
});

test('[PE12] the idempotency keys of a person are of that person, in all their sessions, and of nobody else', async () => {
  const { admin, ann, ben, ask } = await newOrg();
  const asked = await ask(undefined, { resolution: { mode: 'quorum', count: 2 } });
  const path = `/v1/interactions/${asked.id}/answers`;
  const vote = (client: PersonClient, choice: string) =>
    client.post<Interaction>(path, { values: { choice } }, { 'idempotency-key': 'once' });
  for (const client of [ann, ben]) expect((await vote(client, 'yes')).status).toBe(200);
  expect((await admin.get<Interaction>(`/v1/interactions/${asked.id}`)).body.votes).toHaveLength(2);
  expect((await vote(ann, 'yes')).status).toBe(200);
  expect(await vote(ann, 'no')).toMatchObject({ status: 409, body: { code: 'idempotency-key-reused' } });
});

test('[PE195] a token for the inbox of an email sees what names the email, and nothing of the person or their groups', async () => {
  const { admin, ann, ask } = await newOrg();
  const email = ann.person.email ?? '';
  const [byEmail] = [await ask([email]), await ask([personOf(ann)]), await ask(['group:crew']), await ask(undefined)];
  const inbox = await admin.withToken({ responderId: email, inbox: true });
  const { body } = await inbox.get<Page<Interaction>>('/v1/interactions?status=pending&limit=200');
  expect(idsOf(body.data)).toEqual([byEmail.id]);
  expect((await inbox.get<CountedInteractions>('/v1/interactions/count')).body).toEqual({ count: 1 });
  const reader = await EventReader.open(inbox);
  const others = [await ask([personOf(ann)]), await ask(['group:crew'])];
  for (const { id } of others) expect((await inbox.get(`/v1/interactions/${id}`)).status).toBe(404);
  // The answer is that of the person.
  const { body: answered } = await inbox.answer(byEmail.id);
  expect(answered).toMatchObject({ answer: { by: { id: ann.person.id }, assignee: email } });
  expect(await reader.take(1)).toMatchObject([{ type: 'interaction.answered', interactionId: byEmail.id }]);
  await reader.close();
});
