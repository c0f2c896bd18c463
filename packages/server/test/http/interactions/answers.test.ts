import type { Interaction, LogEvent, Page, Problem } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const logOf = async (threadId: string) => (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`)).body.data;

describe('answers', () => {
  const fields = [
    { name: 'env', type: 'select', label: 'Where', options: ['staging', 'production'], required: true },
    { name: 'notify', type: 'checkbox', label: 'Tell everybody' },
    { name: 'count', type: 'number', label: 'How many', min: 1, max: 5 },
    { name: 'mail', type: 'email', label: 'Mail', required: true },
  ];

  test('[AN3] all problems of an answer are returned at once, and an invalid answer changes nothing', async () => {
    const asked = await admin.ask({ options: undefined, fields });
    const values = { env: 'moon', notify: 'perhaps', count: 9, unknown: 1 };
    const { status, body } = await admin.post<{ errors: Problem[] }>(`/v1/interactions/${asked.id}/answers`, {
      values,
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'invalid-answer' });
    expect(new Set(body.errors.map(({ pointer }) => pointer))).toEqual(
      new Set(['/values/env', '/values/notify', '/values/count', '/values/mail', '/values/unknown']),
    );
    expect((await admin.get(`/v1/interactions/${asked.id}`)).body).toEqual(asked);
    expect(await logOf(asked.threadId)).toHaveLength(2);
  });

  test('[AN3] an answer to a payloadSchema is checked against it', async () => {
    const payloadSchema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const { id } = await admin.ask({ options: undefined, payloadSchema });
    const wrong = await admin.post(`/v1/interactions/${id}/answers`, { payload: { n: 'one' } });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/payload/n' }] } });
    const right = await admin.post<Interaction>(`/v1/interactions/${id}/answers`, { payload: { n: 1 } });
    expect(right.body.answer).toMatchObject({ payload: { n: 1 }, decision: 'accepted' });
  });

  test('[AN4] the first valid answer wins, and the error of a second one names its responder and time', async () => {
    const { id } = await admin.ask();
    await admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'maybe' } });
    const first = await admin.post<Interaction>(`/v1/interactions/${id}/answers`, {
      values: { choice: 'yes' },
      reason: 'It is tested.',
      responder: { type: 'human', id: 'ada' },
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        status: 'answered',
        closedReason: 'answered',
        version: 2,
        answer: { values: { choice: 'yes' }, reason: 'It is tested.', by: { type: 'human', id: 'ada' } },
      },
    });
    const second = await admin.answer(id, { choice: 'no' });
    expect(second).toMatchObject({
      status: 409,
      body: {
        code: 'interaction-already-answered',
        current: {
          status: 'answered',
          closedBy: { type: 'human', id: 'ada' },
          closedAt: first.body.closedAt,
          version: 2,
        },
      },
    });
  });

  test('[AN4] of many answers at once exactly one wins', async () => {
    const { id, threadId } = await admin.ask();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => admin.answer(id, { choice: i % 2 ? 'yes' : 'no' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const answered = (await logOf(threadId)).filter(({ type }) => type === 'interaction.answered');
    expect(answered).toHaveLength(1);
  });

  test('[AN5] only the responders of the question may answer or decline', async () => {
    const { id } = await admin.ask({ responder: { type: 'human', assignees: ['ada'] } });
    for (const responder of [
      { type: 'human', id: 'bob' },
      { type: 'agent', id: 'ada' },
    ])
      for (const [verb, body] of [
        ['answers', { values: { choice: 'yes' }, responder }],
        ['decline', { responder }],
      ] as const)
        expect(await admin.post(`/v1/interactions/${id}/${verb}`, body)).toMatchObject({
          status: 403,
          body: { code: 'wrong-responder', current: { status: 'pending', version: 1 } },
        });
    const ada = await admin.withToken({ interactionId: id });
    expect((await ada.answer(id)).status).toBe(200);
  });

  test('[AN6] a decline closes the question as declined, and so does an option that rejects', async () => {
    const declined = await admin.ask();
    expect(await admin.post(`/v1/interactions/${declined.id}/decline`, { reason: 'Not mine' })).toMatchObject({
      status: 200,
      body: {
        status: 'answered',
        closedReason: 'declined',
        answer: { decision: 'declined', reason: 'Not mine', values: {} },
      },
    });
    const rejected = await admin.ask({ kind: 'approval', options: undefined });
    expect(await admin.answer(rejected.id, { decision: 'deny' })).toMatchObject({
      status: 200,
      body: { status: 'answered', closedReason: 'declined', answer: { decision: 'declined' } },
    });
    expect((await logOf(rejected.threadId)).at(-1)?.type).toBe('interaction.declined');
  });

  test('[AN7] records the actor and the reason of the closing: the requester cancels, the responder declines, the deadline expires', async () => {
    const cancelled = await admin.ask();
    const agent = await admin.withKey();
    const reply = await agent.post<Interaction>(`/v1/interactions/${cancelled.id}/cancel`, { reason: 'Moot' });
    expect(reply.body).toMatchObject({
      status: 'cancelled',
      closedReason: 'cancelled',
      closedBy: { type: 'agent', id: agent.keyId },
      cancelReason: 'Moot',
    });
    for (const verb of ['answers', 'decline', 'cancel'])
      expect(await admin.post(`/v1/interactions/${cancelled.id}/${verb}`)).toMatchObject({
        status: 409,
        body: { code: 'interaction-cancelled', current: { status: 'cancelled', closedBy: { id: agent.keyId } } },
      });
    const at = new Date(server.clock.now() + 3_600_000).toISOString();
    const expiring = await admin.ask({ deadline: { at, outcome: 'expire' } });
    const waiting = admin.get<Interaction>(`/v1/interactions/${expiring.id}/wait`);
    server.clock.offsetMs += 3_600_001;
    expect((await waiting).body).toMatchObject({
      status: 'expired',
      closedReason: 'deadline',
      closedBy: { type: 'system', id: 'deadline', via: 'deadline' },
    });
    server.clock.offsetMs = 0;
  });

  test('[AN8] an approval that does not name an argument approves it as proposed', async () => {
    const { id } = await admin.ask({
      kind: 'approval',
      options: undefined,
      fields: [
        { name: 'path', type: 'text', label: 'Path' },
        { name: 'mode', type: 'text', label: 'Mode' },
      ],
      arguments: { path: '/etc/hosts', mode: 'append' },
    });
    const { body } = await admin.answer(id, { decision: 'allow', path: '/etc/motd' });
    expect(body.answer?.values).toEqual({ decision: 'allow', path: '/etc/motd', mode: 'append' });
  });
});

describe('secrets', () => {
  const ask = (by: SpecClient = admin) =>
    by.ask({
      options: undefined,
      fields: [
        { name: 'user', type: 'text', label: 'User', required: true },
        { name: 'token', type: 'password', label: 'Token', required: true },
      ],
    });

  test('[AN9] a secret value is in no record and no event, and is given to the requester once', async () => {
    const agent = await admin.withKey();
    const { id, threadId } = await ask(agent);
    const secret = 'tr0ub4dor-and-3';
    const { body } = await admin.answer(id, { user: 'ada', token: secret });
    expect(body.answer).toMatchObject({ values: { user: 'ada' }, secretFields: ['token'] });
    const seen = [
      body,
      (await admin.get(`/v1/interactions/${id}`)).body,
      (await admin.get(`/v1/interactions/${id}/wait`)).body,
      (await admin.get(`/v1/interactions?threadId=${threadId}`)).body,
      await logOf(threadId),
    ];
    expect(JSON.stringify(seen)).not.toContain(secret);

    const taken = await agent.post(`/v1/interactions/${id}/secrets`);
    expect(taken).toMatchObject({ status: 200, body: { values: { token: secret } } });
    const again = await agent.post(`/v1/interactions/${id}/secrets`);
    expect(again).toMatchObject({ status: 410, body: { code: 'secrets-taken' } });
    const last = (await logOf(threadId)).at(-1);
    expect(last).toMatchObject({
      type: 'interaction.secrets-taken',
      interactionId: id,
      actor: { id: agent.keyId },
      data: { secretFields: ['token'] },
    });
    expect(JSON.stringify(await logOf(threadId))).not.toContain(secret);
  });

  test('[X21] only the key that asked takes them, or an admin key', async () => {
    const [requester, other, another] = await Promise.all([admin.withKey(), admin.withKey(), admin.withKey('admin')]);
    const take = (by: SpecClient, id: string, key?: string) =>
      by.post(`/v1/interactions/${id}/secrets`, {}, key === undefined ? {} : { 'idempotency-key': key });
    const refused = { status: 403, body: { code: 'forbidden' } };
    const [first, second, unanswered] = [await ask(requester), await ask(requester), await ask(requester)];
    for (const { id } of [first, second]) await admin.answer(id, { user: 'ada', token: 'hunter2' });
    const before = await logOf(first.threadId);
    expect(await take(other, first.id)).toMatchObject(refused);
    expect(await take(other, first.id, 'take')).toMatchObject(refused);
    expect(await take(other, unanswered.id)).toMatchObject(refused);
    expect(await logOf(first.threadId)).toEqual(before);
    const values = { token: 'hunter2' };
    expect(await take(requester, first.id, 'take')).toMatchObject({ status: 200, body: { values } });
    expect(await take(another, second.id)).toMatchObject({ status: 200, body: { values } });
    expect(JSON.stringify(await take(other, first.id, 'take'))).not.toContain('hunter2');
  });

  test('[AN9] many who take at once: one gets them', async () => {
    const { id } = await ask();
    await admin.answer(id, { user: 'ada', token: 'once' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => admin.post(`/v1/interactions/${id}/secrets`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410, 410, 410]);
  });

  test('[AN9] where there are none, there is nothing to take', async () => {
    const { id } = await ask();
    const { status, body } = await admin.post(`/v1/interactions/${id}/secrets`);
    expect([status, body.code]).toEqual([404, 'secrets-not-found']);
  });

  test('[AN9] a refused answer does not repeat the secret it was sent', async () => {
    const { id } = await ask();
    const secret = 'never-shown';
    const { status, body } = await admin.answer(id, { token: secret });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).not.toContain(secret);
  });
});
