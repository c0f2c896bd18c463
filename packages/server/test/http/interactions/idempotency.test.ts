import type { Interaction, LogEvent, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const post = <T = Record<string, unknown>>(client: SpecClient, key: string, path: string, body: unknown = {}) =>
  client.post<T>(path, body, { 'idempotency-key': key });
const logLength = async (threadId: string) =>
  (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log?limit=200`)).body.data.length;

describe('a call repeated with its key', () => {
  test('[I1] is done once, whatever it makes', async () => {
    const { id: threadId } = await admin.newThread();
    const calls: [string, unknown][] = [
      ['/v1/threads', { title: 'Once' }],
      ['/v1/threads', { id: 'given-once' }],
      [`/v1/threads/${threadId}/messages`, { text: 'Once' }],
      [`/v1/threads/${threadId}/interactions`, { title: 'Once?' }],
    ];
    for (const [index, [path, body]] of calls.entries()) {
      const first = await post(admin, `make-${index}`, path, body);
      const again = await post(admin, `make-${index}`, path, body);
      expect(again.status, path).toBe(201);
      expect(again.body, path).toEqual(first.body);
    }
    expect(await logLength(threadId)).toBe(3);
  });

  test('[I1] gets the thing as it stands now', async () => {
    const { id: threadId } = await admin.newThread();
    const path = `/v1/threads/${threadId}/interactions`;
    const asked = await post<Interaction>(admin, 'now', path, { title: 'Name?' });
    const { body: answered } = await admin.answer(asked.body.id, { text: 'Ada' });
    expect((await post(admin, 'now', path, { title: 'Name?' })).body).toEqual(answered);
  });

  test.each([
    ['answers', { values: { choice: 'yes' } }],
    ['decline', { reason: 'no time' }],
    ['cancel', {}],
  ])('[I1] of %s gets no error for being late', async (verb, body) => {
    const { id, threadId } = await admin.ask();
    const path = `/v1/interactions/${id}/${verb}`;
    const first = await post<Interaction>(admin, `close-${verb}`, path, body);
    expect(first).toMatchObject({ status: 200, body: { version: 2 } });
    expect((await post(admin, `close-${verb}`, path, body)).body).toEqual(first.body);
    expect((await admin.post(path, body)).status).toBe(409);
    expect(await logLength(threadId)).toBe(3);
  });

  test('[I1] of a vote counts once', async () => {
    const { id } = await admin.ask({ resolution: { mode: 'quorum', count: 2 } });
    const body = { values: { choice: 'yes' }, responder: { type: 'human', id: 'ada' } };
    const path = `/v1/interactions/${id}/answers`;
    await post(admin, 'vote', path, body);
    expect((await post<Interaction>(admin, 'vote', path, body)).body.votes).toHaveLength(1);
  });

  test('[I1] many times at once is done once', async () => {
    const { id: threadId } = await admin.newThread();
    const path = `/v1/threads/${threadId}/interactions`;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post<Interaction>(admin, 'crowd', path, { title: 'Once?' })),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await logLength(threadId)).toBe(2);
  });

  test('[I1] is done once though another API key repeats it', async () => {
    const { id: threadId } = await admin.newThread();
    const path = `/v1/threads/${threadId}/interactions`;
    const [agent, successor] = [await admin.withKey(), await admin.withKey()];
    const first = await post(agent, 'taken-over', path, { title: 'Once?' });
    expect((await post(successor, 'taken-over', path, { title: 'Once?' })).body).toEqual(first.body);
    expect(await logLength(threadId)).toBe(2);
  });

  test('[I1] after a restart is still done once', async () => {
    await using other = await startSpecServer();
    const body = { title: 'Once' };
    const first = await post(other.admin, 'restart', '/v1/threads', body);
    await other.restart();
    expect((await post(other.admin, 'restart', '/v1/threads', body)).body).toEqual(first.body);
  });

  test('[I1] of a key or an org does not show the secret again, and of a token gives a fresh one', async () => {
    const key = { name: 'k', role: 'agent' };
    const made = await post(admin, 'key', '/v1/keys', key);
    expect(made.body).toHaveProperty('secret');
    const { secret: _secret, ...shown } = made.body;
    expect((await post(admin, 'key', '/v1/keys', key)).body).toEqual(shown);
    expect((await post(admin, 'org', '/v1/orgs', { id: 'once' })).body).toHaveProperty('adminKey');
    expect((await post(admin, 'org', '/v1/orgs', { id: 'once' })).body).not.toHaveProperty('adminKey');
    const { id: threadId } = await admin.newThread();
    const wanted = { responderId: 'ada', threadId };
    for (let i = 0; i < 2; i++) {
      const { body } = await post<{ token: string }>(admin, 'token', '/v1/responder-tokens', wanted);
      expect((await admin.as(body.token).get(`/v1/threads/${threadId}`)).status).toBe(200);
    }
  });

  test('[I1] revoking, of a grant or a key, succeeds again', async () => {
    const { keyId } = await admin.withKey();
    const first = await post(admin, 'revoke', `/v1/keys/${keyId}/revoke`);
    expect((await post(admin, 'revoke', `/v1/keys/${keyId}/revoke`)).body).toEqual(first.body);
  });
});

describe('a key used for something else', () => {
  test('[I2] is refused: another body, another path, another verb', async () => {
    const { id } = await admin.ask();
    const other = await admin.ask();
    await post(admin, 'used', `/v1/interactions/${id}/cancel`);
    const reused = [
      await post(admin, 'used', `/v1/interactions/${id}/cancel`, { reason: 'other' }),
      await post(admin, 'used', `/v1/interactions/${other.id}/cancel`),
      await post(admin, 'used', `/v1/interactions/${id}/decline`),
      await post(admin, 'used', '/v1/responder-tokens', { responderId: 'a', interactionId: id }),
    ];
    for (const reply of reused) expect(reply).toMatchObject({ status: 409, body: { code: 'idempotency-key-reused' } });
    expect((await admin.get(`/v1/interactions/${other.id}`)).body).toMatchObject({ status: 'pending' });
  });

  test('[I2] is refused to another API key only where it would be whose answer it is', async () => {
    const { id } = await admin.ask({ resolution: { mode: 'quorum', count: 2 } });
    const answers = `/v1/interactions/${id}/answers`;
    const body = { values: { choice: 'yes' } };
    const other = await admin.withKey('admin');
    expect((await post(admin, 'whose', answers, body)).status).toBe(200);
    expect(await post(other, 'whose', answers, body)).toMatchObject({
      status: 409,
      body: { code: 'idempotency-key-reused' },
    });
    expect((await post<Interaction>(other, 'own', answers, body)).body.votes).toHaveLength(2);
  });

  test("[I4] what people choose as a key meets nobody else's", async () => {
    const { id: threadId } = await admin.newThread();
    const messages = `/v1/threads/${threadId}/messages`;
    const ada = await admin.withToken({ threadId });
    const bob = await admin.withToken({ threadId, responderId: 'bob' });
    const said = [
      await post(ada, 'mine', messages, { text: 'Hi' }),
      await post(bob, 'mine', messages, { text: 'Hi' }),
      await post(admin, 'mine', messages, { text: 'Hello' }),
    ];
    expect(said.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(said.map(({ body }) => body.id)).size).toBe(3);
    expect((await post(ada, 'mine', messages, { text: 'Hi' })).body).toEqual(said[0]?.body);
    expect(await post(ada, 'mine', messages, { text: 'Ho' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency-key-reused' },
    });
  });

  test('[I2] means nothing in another org', async () => {
    const org = await admin.withOrg('other-keys');
    const here = await post(admin, 'both', '/v1/threads', {});
    const there = await post(org, 'both', '/v1/threads', {});
    expect(there.status).toBe(201);
    expect(there.body.id).not.toBe(here.body.id);
  });

  test('[I2] is the same key where only the order of properties differs', async () => {
    const first = await post(admin, 'order', '/v1/threads', { title: 'T', metadata: { a: 1, b: 2 } });
    const again = await post(admin, 'order', '/v1/threads', { metadata: { b: 2, a: 1 }, title: 'T' });
    expect(again.body).toEqual(first.body);
  });
});

test('[I3] a refused call does not use up its key', async () => {
  const { id, threadId } = await admin.ask();
  const refused = [
    await post(admin, 'free', '/v1/threads', { id: 'not valid' }),
    await post(admin, 'free', '/v1/threads/never-was/messages', { text: 'hi' }),
    await post(admin, 'free', `/v1/interactions/${id}/answers`, { values: { choice: 'maybe' } }),
    await post(await admin.withKey(), 'free', `/v1/interactions/${id}/answers`, { values: { choice: 'yes' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 404, 422, 403]);
  expect((await post(admin, 'free', `/v1/threads/${threadId}/messages`, { text: 'hi' })).status).toBe(201);
});

test.each(['', 'with space', 'x'.repeat(256), 'ümlaut'])('[H1] %j is no idempotency key', async (key) => {
  const reply = await post(admin, key, '/v1/threads');
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/headers/idempotency-key' }] } });
});
