/** A deadline accepts an approval only where an admin key has said so, before anybody voted. */
import { agent as agentOf } from '@holdpoint/agents';
import { verifyAnswer } from '@holdpoint/client/verify';
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { settled, startThread } from '../../agents/agent-client.ts';
import { startTestServer } from '../../test-server.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
const agent = await admin.withKey();
afterAll(() => server[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();
const accepting = (ms = hourMs) => ({ at: at(ms), outcome: 'recommended' });
const approval = { kind: 'approval', options: undefined, recommendations: { decision: 'allow' } };
const quorum = { resolution: { mode: 'quorum', count: 2 } };
const needsAdmin = {
  status: 403,
  body: { code: 'admin-key-needed', errors: [{ pointer: '/deadline/outcome', code: 'admin-only' }] },
};

const get = async (id: string) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const update = (id: string, body: object, by: SpecClient = agent) => by.patch(`/v1/interactions/${id}`, body);
const vote = (id: string, decision: string) =>
  admin.post(`/v1/interactions/${id}/answers`, { values: { decision }, responder: { type: 'human', id: 'ann' } });

test('[D20] an agent key asks for no approval that a deadline accepts', async () => {
  const { id } = await agent.newThread();
  const create = (question: object) => agent.post(`/v1/threads/${id}/interactions`, { title: 'Deploy?', ...question });
  expect(await create({ ...approval, deadline: accepting(300) })).toMatchObject(needsAdmin);
  const options = [
    { value: 'go', label: 'Go', kind: 'allow_once' },
    { value: 'stop', label: 'Stop', kind: 'reject_once' },
  ];
  const choice = { kind: 'choice', options, deadline: accepting() };
  expect(await create({ ...choice, recommendations: { choice: 'go' } })).toMatchObject(needsAdmin);
  expect((await admin.get<{ data: object[] }>(`/v1/interactions?threadId=${id}`)).body.data).toEqual([]);
  expect((await create({ ...choice, recommendations: { choice: 'stop' } })).status).toBe(201);
  expect((await create({ options: ['a', 'b'], recommendations: { choice: 'a' }, deadline: accepting() })).status).toBe(
    201,
  );
  for (const outcome of ['expire', 'decline'])
    expect((await create({ ...approval, deadline: { at: at(hourMs), outcome } })).status).toBe(201);
});

test('[D20] an agent key makes no pending approval one that a deadline accepts', async () => {
  const asked = await admin.ask(approval);
  expect(await update(asked.id, { deadline: accepting(600) })).toMatchObject(needsAdmin);
  const plain = await agent.ask({ kind: 'approval', options: undefined });
  const both = { deadline: accepting(), recommendations: { decision: 'allow' } };
  expect(await update(plain.id, both)).toMatchObject(needsAdmin);
  expect(await get(asked.id)).toEqual(asked);
  expect(await get(plain.id)).toEqual(plain);
});

test('[D20] an agent key changes nothing that counts of an approval that a deadline accepts', async () => {
  const asked = await admin.ask({ ...approval, deadline: accepting() });
  for (const patch of [
    { deadline: accepting(600) },
    { title: 'Drop the database?' },
    { body: 'More.' },
    { fields: [...asked.fields, { name: 'host', type: 'text', default: 'production' }] },
  ])
    expect(await update(asked.id, patch)).toMatchObject(needsAdmin);
  expect(await get(asked.id)).toEqual(asked);
  const declining = await admin.ask({ ...approval, recommendations: { decision: 'deny' }, deadline: accepting() });
  expect(await update(declining.id, { recommendations: { decision: 'allow' } })).toMatchObject(needsAdmin);
  expect((await update(asked.id, { metadata: { note: 1 }, deadline: asked.deadline })).status).toBe(200);
  expect((await update(asked.id, { deadline: { at: at(hourMs), outcome: 'decline' } })).status).toBe(200);
});

test('[D21] nobody makes a deadline accept an approval that somebody has voted on', async () => {
  const asked = await agent.ask({ ...approval, ...quorum });
  expect((await vote(asked.id, 'deny')).status).toBe(200);
  const voted = await get(asked.id);
  expect(await update(asked.id, { deadline: accepting(600) })).toMatchObject(needsAdmin);
  expect(await update(asked.id, { deadline: accepting(600) }, admin)).toMatchObject({
    status: 409,
    body: { code: 'interaction-has-votes' },
  });
  expect(await get(asked.id)).toEqual(voted);

  const accepted = await admin.ask({ ...approval, ...quorum, deadline: accepting() });
  await vote(accepted.id, 'deny');
  expect(await update(accepted.id, { deadline: accepting(600) }, admin)).toMatchObject({
    body: { code: 'interaction-has-votes' },
  });
  expect((await update(accepted.id, { deadline: { at: at(hourMs), outcome: 'expire' } }, admin)).status).toBe(200);
});

test('[D20] a preview refuses an agent key the same, and shows an admin key what would be stored', async () => {
  const body = { title: 'Deploy?', kind: 'approval', recommendations: { decision: 'allow' }, deadline: accepting() };
  const preview = (by: SpecClient) => by.post('/console/preview', { dialect: 'native', body });
  expect(await preview(agent)).toMatchObject(needsAdmin);
  expect(await preview(admin)).toMatchObject({ status: 200, body: { interaction: { status: 'pending' } } });
});

test('[D20] an agent in the process of the server may not either, and its run fails with the reason', async () => {
  const hasty = agentOf('hasty', (ctx) => {
    const deadline = { at: at(hourMs), outcome: 'recommended' } as const;
    return ctx.approve({ title: 'Deploy?', recommendations: { decision: 'allow' }, deadline });
  });
  await using own = await startTestServer({ internals: { agents: [hasty] } });
  const threadId = await startThread(own.admin, hasty.name);
  const { status, error } = await settled(own.admin, threadId);
  expect([status, error?.message]).toEqual(['failed', expect.stringContaining('Only an admin key')]);
});

test('[D20][D5] an admin key may, and the answer says that nobody gave it', async () => {
  const asked = await admin.ask({ ...approval, deadline: accepting() });
  server.clock.offsetMs += hourMs;
  const { body } = await admin.get<Interaction>(`/v1/interactions/${asked.id}/wait?timeoutMs=20000`);
  expect(body.answer).toMatchObject({ decision: 'accepted', automatic: 'deadline', by: { type: 'system' } });
  expect(await verifyAnswer(body, asked.digest)).toBe(true);
});

test('[D22] an agent key lets nobody else answer an approval that is not for people alone', async () => {
  const responder = { type: 'any', assignees: ['ann'] };
  const asked = await admin.ask({ ...approval, responder });
  const escalations = [{ at: at(1_000), assignees: [agent.keyId] }];
  expect(await update(asked.id, { escalations })).toMatchObject({
    status: 403,
    body: { code: 'admin-key-needed', errors: [{ pointer: '/escalations', code: 'admin-only' }] },
  });
  expect(await get(asked.id)).toEqual(asked);
  expect((await update(asked.id, { escalations: [{ at: at(hourMs), assignees: [agent.keyId] }] }, admin)).status).toBe(
    200,
  );
  expect((await update(asked.id, { escalations })).status).toBe(403);
  const forPeople = await admin.ask({ ...approval, responder: { type: 'human', assignees: ['ann'] } });
  expect((await update(forPeople.id, { escalations })).status).toBe(200);
});

test('[BD1] the digest is also of who may answer, how many, and what a deadline or a grant would do', async () => {
  const asked = await admin.ask({ ...approval, responder: { type: 'human', assignees: ['ann'] } });
  const digests = [asked.digest];
  for (const more of [
    { responder: { type: 'any', assignees: ['ann'] } },
    { responder: { type: 'human', assignees: ['ann', 'ben'] } },
    { ...quorum, responder: { type: 'human', assignees: ['ann', 'ben'] } },
    { grant: { key: 'deploy', scope: 'org' } },
    { deadline: { at: '2099-01-01T00:00:00Z', outcome: 'expire' } },
    { deadline: { at: '2099-01-01T00:00:00Z', outcome: 'decline' } },
    { deadline: { at: '2099-01-02T00:00:00Z', outcome: 'decline' } },
  ])
    digests.push((await admin.ask({ ...approval, responder: asked.responder, ...more })).digest);
  expect(new Set(digests).size).toBe(digests.length);

  const deadline = { at: at(hourMs), outcome: 'decline' };
  const { body: updated } = await update(asked.id, { deadline });
  expect(updated.digest).not.toBe(asked.digest);
  expect((await update(asked.id, { deadline: { ...deadline, remindBeforeMs: [60_000] } })).body.digest).toBe(
    updated.digest,
  );
  expect((await update(asked.id, { deadline: null })).body.digest).toBe(asked.digest);
});

test('[BD1] an escalation that comes changes no digest, so that a kept one still verifies', async () => {
  const escalations = [{ at: at(hourMs), assignees: ['ben', 'ann'] }];
  const asked = await admin.ask({ ...approval, responder: { type: 'human', assignees: ['ann'] }, escalations });
  server.clock.offsetMs += hourMs;
  await expect.poll(async () => (await get(asked.id)).responder.assignees).toEqual(['ann', 'ben']);
  const { body } = await admin.post<Interaction>(`/v1/interactions/${asked.id}/answers`, {
    values: { decision: 'allow' },
    digest: asked.digest,
    responder: { type: 'human', id: 'ben' },
  });
  expect(await verifyAnswer(body, asked.digest)).toBe(true);
});
