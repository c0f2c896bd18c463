/** Answers are bound to what was shown. */
import { createHash } from 'node:crypto';
import { verifyAnswer } from '@holdpoint/client/verify';
import { currentScheme, type Interaction, type LogEvent, type Page } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const get = async (id: string) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const answer = (id: string, body: object) => admin.post<Interaction>(`/v1/interactions/${id}/answers`, body);
const decline = (id: string, body: object) => admin.post<Interaction>(`/v1/interactions/${id}/decline`, body);
const update = (id: string, body: object) => admin.patch<Interaction>(`/v1/interactions/${id}`, body);
const logOf = async (threadId: string) => (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`)).body.data;

const digestOf = (asked: Interaction) =>
  `v2:sha-256:${createHash('sha256').update(currentScheme.textOf(asked)).digest('hex')}`;

/** Numbers, keys and letters that a store might write otherwise than they came. */
const intricate = {
  kind: 'approval',
  title: 'Größe 🙂 \u2028 e\u0301?',
  body: 'a\tb\\n"c"\u007f',
  content: [{ type: 'card', payload: { b: 1e21, a: -0.000001, '10': 'x', '9': [1.0, 1e-7], '': null } }],
  options: undefined,
  fields: [{ name: 'note', type: 'text', default: 'é' }],
  arguments: { z: { y: [], x: {} }, a: 12345678901234567000, note: 'ﬁ' },
  recommendations: { note: '\ud83d\ude00' },
};

test('[BD1] a question has the digest of what is shown, which is the same wherever it is read', async () => {
  const asked = await admin.ask(intricate);
  const expected = digestOf(asked);
  expect(asked.digest).toBe(expected);
  const stored = await get(asked.id);
  expect(stored).toEqual(asked);
  expect(digestOf(stored)).toBe(expected);
  const [created] = (await logOf(asked.threadId)).filter(({ type }) => type === 'interaction.created');
  expect(created?.data).toMatchObject({ interaction: { digest: expected } });
  expect((await admin.ask(intricate)).digest).toBe(expected);
});

test('[BD1] a change of what is shown changes it, and of anything else does not', async () => {
  const { id, digest } = await admin.ask({ body: 'On a Friday.' });
  const { body: reworded } = await update(id, { body: 'On a Monday.' });
  expect(reworded.digest).not.toBe(digest);
  const { body: back } = await update(id, { body: 'On a Friday.' });
  expect(back.digest).toBe(digest);
  const { body: noted } = await update(id, { metadata: { note: 1 }, trace: { t: 1 } });
  expect(noted).toMatchObject({ version: 4, digest });
  const { body: removed } = await update(id, { body: null });
  expect(removed.digest).toBe((await admin.ask()).digest);
});

test.each([
  ['an answer', (id: string, digest?: string) => answer(id, { values: { choice: 'yes' }, digest })],
  ['a decline', (id: string, digest?: string) => decline(id, { reason: 'No.', digest })],
])('[BD2] %s to another question than the current one is refused, and nothing changes', async (_what, send) => {
  const asked = await admin.ask();
  const { body: changed } = await update(asked.id, { title: 'Deploy to production?' });
  const before = await logOf(asked.threadId);
  expect(await send(asked.id, asked.digest)).toMatchObject({
    status: 409,
    body: { code: 'question-changed', current: { status: 'pending', version: 2, digest: changed.digest } },
  });
  expect((await send(asked.id, 'no digest at all')).body).toMatchObject({ code: 'question-changed' });
  expect(await get(asked.id)).toEqual(changed);
  expect(await logOf(asked.threadId)).toEqual(before);
  expect(await send(asked.id, changed.digest)).toMatchObject({ status: 200, body: { status: 'answered' } });
});

test('[BD2] one that was refused is sent again by the same key once the person has seen the question', async () => {
  const asked = await admin.ask();
  const { body: changed } = await update(asked.id, { title: 'Deploy to production?' });
  const send = (digest: string | undefined) =>
    admin.post(
      `/v1/interactions/${asked.id}/answers`,
      { values: { choice: 'no' }, digest },
      { 'idempotency-key': 'k1' },
    );
  expect((await send(asked.digest)).status).toBe(409);
  expect((await send(changed.digest)).status).toBe(200);
  expect((await send(changed.digest)).status).toBe(200);
});

test('[BD2] of an update and an answer at the same time, no answer is kept that was to the other question', async () => {
  for (let round = 0; round < 10; round++) {
    const asked = await admin.ask();
    const [updated, answered] = await Promise.all([
      update(asked.id, { title: 'Deploy to production?' }),
      answer(asked.id, { values: { choice: 'yes' }, digest: asked.digest }),
    ]);
    expect([updated.status, answered.status].sort()).toEqual([200, 409]);
    const { title, status } = await get(asked.id);
    expect([title, status]).toEqual(
      answered.status === 200 ? ['Deploy?', 'answered'] : ['Deploy to production?', 'pending'],
    );
  }
});

test('[BD3] every vote and answer keeps it, sent or not, and so do the events', async () => {
  const responder = (id: string) => ({ responder: { type: 'human', id } });
  const asked = await admin.ask({ resolution: { mode: 'quorum', count: 2 } });
  const { digest } = asked;
  await answer(asked.id, { values: { choice: 'no' }, digest, ...responder('ann') });
  await decline(asked.id, responder('ben'));
  const { body: closed } = await answer(asked.id, { values: { choice: 'no' }, ...responder('cy') });
  expect(closed.votes.map((vote) => vote.digest)).toEqual([digest, digest, digest]);
  expect(closed.answer?.digest).toBe(digest);
  const votes = (await logOf(asked.threadId)).flatMap(({ data }) =>
    'vote' in data ? [data.vote] : 'answer' in data ? [data.answer] : [],
  );
  expect(votes.map((vote) => vote.digest)).toEqual([digest, digest, digest]);
});

test('[BD3] an answer that nobody gave keeps it as well', async () => {
  const split = await admin.ask({
    resolution: { mode: 'unanimous', count: 2 },
    responder: { type: 'human', assignees: ['ann', 'ben'] },
  });
  await answer(split.id, { values: { choice: 'yes' }, responder: { type: 'human', id: 'ann' } });
  const { body } = await answer(split.id, { values: { choice: 'no' }, responder: { type: 'human', id: 'ben' } });
  expect(body.answer).toMatchObject({ automatic: 'resolution', digest: split.digest });

  const options = [
    { value: 'always', label: 'Always', kind: 'allow_always' },
    { value: 'no', label: 'Deny', kind: 'reject_once' },
  ];
  const approval = { kind: 'approval', options, grant: { key: 'bound', scope: 'org' } };
  await admin.answer((await admin.ask(approval)).id, { decision: 'always' });
  const granted = await admin.ask(approval);
  expect(granted).toMatchObject({ answer: { automatic: 'grant', digest: granted.digest } });
  expect(await verifyAnswer(granted)).toBe(true);
});

test('[BD4] the requester verifies offline that the answer belongs to exactly this question', async () => {
  const asked = await admin.ask(intricate);
  await answer(asked.id, { values: { decision: 'allow' } });
  const answered = await get(asked.id);
  expect(await verifyAnswer(answered)).toBe(true);
  expect(await verifyAnswer(answered, asked.digest)).toBe(true);
  for (const forged of [
    { ...answered, title: 'Deploy to staging?' },
    { ...answered, arguments: { ...answered.arguments, a: 1 } },
    { ...answered, digest: `sha-256:${'0'.repeat(64)}` },
    { ...answered, answer: { ...answered.answer, digest: `sha-256:${'0'.repeat(64)}` } },
  ])
    expect(await verifyAnswer(forged as Interaction)).toBe(false);
});

test('[BD4] the stored digest reveals a consistent record of another question', async () => {
  const asked = await admin.ask();
  await update(asked.id, { title: 'Deploy to production?' });
  await admin.answer(asked.id);
  const answered = await get(asked.id);
  expect(await verifyAnswer(answered)).toBe(true);
  expect(await verifyAnswer(answered, asked.digest)).toBe(false);
});

test('[BD4] what is not answered, or was answered before there were digests, is not verified', async () => {
  const asked = await admin.ask();
  expect(await verifyAnswer(asked)).toBe(false);
  await admin.answer(asked.id);
  const { digest: _none, ...old } = await get(asked.id);
  expect(await verifyAnswer(old)).toBe(false);
});

test.each([
  ['chat-requests', (id: string) => [`/api/v1/requests/${id}/resolve`, `/api/v1/requests/${id}`]],
  [
    'input-requests',
    (id: string, thread: string) => [
      `/conversations/${thread}/input-requests/${id}/responses`,
      `/conversations/${thread}/input-requests/${id}`,
    ],
  ],
])('[BD3] an answer in %s is bound too, though nothing there tells of digests', async (_dialect, paths) => {
  const asked = await admin.ask({ options: undefined, fields: [{ name: 'name', type: 'text' }] });
  const [answering = '', reading = ''] = paths(asked.id, asked.threadId);
  const { status, body } = await admin.post(answering, { values: { name: 'Ann' } });
  expect(status).toBeLessThan(300);
  const { body: shown } = await admin.get(reading);
  expect(JSON.stringify([body, shown])).toContain('Ann');
  expect(JSON.stringify([body, shown])).not.toMatch(/digest|sha-256/);
  expect(await verifyAnswer(await get(asked.id), asked.digest)).toBe(true);
});

test('[BD3] an answer in agent-service is bound too, though nothing there tells of digests', async () => {
  const asked = await admin.ask({ options: undefined, fields: [{ name: 'name', type: 'text' }] });
  const path = `/spec/v1/interactions/${asked.id}`;
  const { status, body } = await admin.post(`${path}/respond`, { payload: { name: 'Ann' } });
  expect(status).toBeLessThan(300);
  expect(JSON.stringify([body, (await admin.get(path)).body])).not.toMatch(/digest|sha-256/);
  expect(await verifyAnswer(await get(asked.id), asked.digest)).toBe(true);
});
