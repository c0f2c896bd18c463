/** A callback for one question: signed, repeated, and no way around what webhooks may do. */
import { verifyWebhook } from '@holdpoint/client/verify';
import type { Callback, Interaction } from '@holdpoint/protocol';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { type Answering, type Received, startReceiver, type WebhookBody } from './webhook-receiver.ts';

const webhookRetry = { firstMs: 1, longestMs: 2, giveUpMs: 60_000, longestRetryAfterMs: 1_000 };
const server = await startSpecServer({ internals: { webhookRetry } });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

async function receiverOfTest(answer?: Answering) {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

const callbackOf = async (id: string, client: SpecClient = admin) =>
  (await client.get<Callback & { code: string }>(`/v1/interactions/${id}/callback`)).body;

const secretOf = async (client: SpecClient) =>
  (await client.get<{ secret: string }>('/v1/callback-secret')).body.secret;

const first = (received: readonly Received[]): Received => {
  const [one] = received;
  if (!one) throw new Error('nothing was received');
  return one;
};

test('[WH34][WH35] what closes a question is sent, signed by the secret of the key that asked and of no other', async () => {
  const receiver = await receiverOfTest();
  const agent = await admin.withKey();
  const asked = await agent.ask({ callbackUrl: receiver.url, metadata: { order: 7 } });
  expect(asked).toMatchObject({ hasCallback: true });
  expect(await callbackOf(asked.id, agent)).toEqual({
    ...{ interactionId: asked.id, url: receiver.url, status: 'waiting', attempts: [] },
  });
  const { body: answered } = await admin.answer(asked.id);
  await expect.poll(() => callbackOf(asked.id)).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });

  expect(receiver.received).toHaveLength(1);
  const { headers, body } = first(receiver.received);
  expect(headers['webhook-id']).toBe(`callback_${asked.id}`);
  const event = await verifyWebhook({ body, headers, secret: await secretOf(agent) });
  expect(event).toEqual({
    ...{ type: 'interaction.answered', timestamp: answered.closedAt },
    data: {
      ...{ threadId: asked.threadId, interactionId: asked.id, type: 'interaction.answered', at: answered.closedAt },
      ...{ actor: answered.closedBy, data: { version: 2, answer: answered.answer } },
      interaction: { id: asked.id, kind: 'choice', title: 'Deploy?', metadata: { order: 7 } },
    },
  });
  for (const other of [admin, await admin.withKey()])
    await expect(verifyWebhook({ body, headers, secret: await secretOf(other) })).rejects.toThrow();
  expect(await secretOf(agent)).toBe(await secretOf(agent));
});

const soon = () => ({ deadline: { at: new Date(Date.now() + 1_000).toISOString(), outcome: 'expire' } });

test.each<[string, () => object, (id: string) => Promise<unknown>]>([
  ['declined', () => ({}), (id) => admin.post(`/v1/interactions/${id}/decline`, { reason: 'No' })],
  ['cancelled', () => ({}), (id) => admin.post(`/v1/interactions/${id}/cancel`, { reason: 'No' })],
  ['expired', soon, async () => undefined],
])('[WH34] a question that is %s is an end like any other', async (end, more, close) => {
  const receiver = await receiverOfTest();
  const { id } = await admin.ask({ callbackUrl: receiver.url, ...more() });
  await close(id);
  await expect.poll(() => receiver.events<WebhookBody>().map(({ type }) => type)).toEqual([`interaction.${end}`]);
});

test('[WH34] a question that a grant answers at once is sent, too', async () => {
  const receiver = await receiverOfTest();
  const { id: threadId } = await admin.newThread();
  const options = [
    { value: 'always', label: 'Always', kind: 'allow_always' },
    { value: 'no', label: 'No', kind: 'reject_once' },
  ];
  const question = { kind: 'approval', options, grant: { key: 'deploy', scope: 'thread' } };
  const { id } = await admin.ask(question, threadId);
  await admin.answer(id, { decision: 'always' });
  const granted = await admin.ask({ ...question, callbackUrl: receiver.url }, threadId);
  expect(granted.status).toBe('answered');
  await expect.poll(() => receiver.events<WebhookBody>().map(({ data }) => data.interactionId)).toEqual([granted.id]);
});

test('[WH34] it is attempted until it is taken, under the same id, also across a restart; 410 ends it', async () => {
  const other = await startSpecServer({ internals: { webhookRetry } });
  onTestFinished(() => other[Symbol.asyncDispose]());
  const receiver = await receiverOfTest(() => 503);
  const asked = await other.admin.ask({ callbackUrl: receiver.url });
  await other.admin.answer(asked.id);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
  await other.restart();
  receiver.answer = () => 204;
  await expect.poll(() => callbackOf(asked.id, other.admin)).toMatchObject({ status: 'delivered' });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([`callback_${asked.id}`]),
  );
  receiver.answer = () => 410;
  const gone = await other.admin.ask({ callbackUrl: receiver.url });
  await other.admin.answer(gone.id);
  await expect.poll(() => callbackOf(gone.id, other.admin)).toMatchObject({ status: 'dead' });
});

test('[WH34] a repeated create has one callback, and no secret value is sent', async () => {
  const receiver = await receiverOfTest();
  const { id: threadId } = await admin.newThread();
  const fields = [{ name: 'pin', type: 'password', label: 'PIN', required: true }];
  const body = { title: 'PIN?', fields, callbackUrl: receiver.url };
  const ask = () =>
    admin.call<Interaction>(`/v1/threads/${threadId}/interactions`, { body, headers: { 'idempotency-key': 'pin' } });
  const [one, again] = [await ask(), await ask()];
  expect(again.body.id).toBe(one.body.id);
  await admin.answer(one.body.id, { pin: 'open sesame' });
  await expect.poll(() => callbackOf(one.body.id)).toMatchObject({ status: 'delivered' });
  expect(receiver.received).toHaveLength(1);
  expect(first(receiver.received).body).not.toContain('sesame');
});

test('[WH36] only the key that asked and admins see it, in their own org', async () => {
  const [agent, other] = [await admin.withKey(), await admin.withKey()];
  const { id, threadId } = await agent.ask({ callbackUrl: 'http://127.0.0.1:9/?token=hush' });
  expect((await callbackOf(id, agent)).url).toContain('hush');
  expect((await callbackOf(id)).url).toContain('hush');
  expect((await callbackOf(id, other)).code).toBe('forbidden');
  const stranger = await admin.withOrg(`org-${id}`);
  expect((await callbackOf(id, stranger)).code).toBe('interaction-not-found');
  const person = await admin.withToken({ threadId });
  expect((await callbackOf(id, person)).code).toBe('forbidden');
  expect((await person.get('/v1/callback-secret')).status).toBe(403);
  const shown = [await person.get(`/v1/interactions/${id}`), await other.get(`/v1/threads/${threadId}/log`)];
  expect(JSON.stringify(shown.map(({ body }) => body))).not.toContain('hush');
  const plain = await admin.ask();
  expect((await callbackOf(plain.id)).code).toBe('callback-not-found');
});

test('[WH36] after its key was revoked nothing is sent', async () => {
  const receiver = await receiverOfTest();
  const agent = await admin.withKey();
  const { id } = await agent.ask({ callbackUrl: receiver.url });
  await admin.post(`/v1/keys/${agent.keyId}/revoke`, {});
  await admin.answer(id);
  await expect.poll(() => callbackOf(id)).toMatchObject({ status: 'dead' });
  expect(receiver.received).toEqual([]);
});

test('[WH36] it leads to no private address, neither when it is given nor when it is sent', async () => {
  const seen: string[] = [];
  const resolveHost = async (host: string) => {
    seen.push(host);
    return [{ address: seen.length > 1 ? '127.0.0.1' : '93.184.215.14', family: 4 }];
  };
  const strict = await startSpecServer({ allowPrivateWebhooks: false, internals: { resolveHost, webhookRetry } });
  onTestFinished(() => strict[Symbol.asyncDispose]());
  const { id: threadId } = await strict.admin.newThread();
  for (const url of [
    'http://127.0.0.1:9/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'ftp://a.example/',
    'http://u:p@a.example/',
  ]) {
    const path = `/v1/threads/${threadId}/interactions`;
    const refused = await strict.admin.post<{ errors: unknown[] }>(path, { title: 'Deploy?', callbackUrl: url });
    expect(refused.status, url).toBe(400);
    expect(refused.body.errors).toMatchObject([{ pointer: '/callbackUrl' }]);
  }
  expect((await strict.admin.get<{ data: unknown[] }>('/v1/interactions')).body.data).toEqual([]);
  const { id } = await strict.admin.ask({ callbackUrl: 'http://rebinding.example:9/' });
  await strict.admin.answer(id);
  const attempts = [{ error: expect.stringContaining('private') }];
  const firstAttempt = async () => (await callbackOf(id, strict.admin)).attempts.slice(0, 1);
  await expect.poll(firstAttempt).toMatchObject(attempts);
});

test('[WH37] no more than eight of an org are attempted at a time, and all are sent', async () => {
  let [running, most] = [0, 0];
  const release = Promise.withResolvers<void>();
  const receiver = await receiverOfTest(async () => {
    most = Math.max(most, ++running);
    await release.promise;
    running--;
    return 200;
  });
  const { id: threadId } = await admin.newThread();
  const asked = await Promise.all(Array.from({ length: 20 }, () => admin.ask({ callbackUrl: receiver.url }, threadId)));
  await Promise.all(asked.map(({ id }) => admin.answer(id)));
  await expect.poll(() => running).toBe(8);
  release.resolve();
  await expect.poll(() => receiver.received.length).toBe(20);
  expect(most).toBe(8);
});
