import { createHmac } from 'node:crypto';
import type { Interaction, Page, ResponderToken } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { EventReader } from '../events/event-reader.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { everyCall, makeThings } from '../requests/every-route.ts';

const server = await startSpecServer({ responderRateLimit: 100_000 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

describe('a token of a thread', () => {
  test('[X4] reads, answers, declines, waits, posts and follows there, as its person', async () => {
    const asked = await admin.ask();
    const { threadId } = asked;
    const second = await admin.ask({}, threadId);
    const ada = await admin.withToken({ threadId });
    const by = { type: 'human', id: 'ada' };
    expect((await ada.get(`/v1/threads/${threadId}`)).status).toBe(200);
    expect((await ada.get<Page<unknown>>(`/v1/threads/${threadId}/log`)).body.data).toHaveLength(3);
    expect((await ada.get(`/v1/interactions/${asked.id}`)).body).toEqual(asked);
    expect((await ada.answer(asked.id)).body).toMatchObject({ status: 'answered', answer: { by } });
    expect((await ada.post(`/v1/interactions/${second.id}/decline`)).body).toMatchObject({ answer: { by } });
    expect((await ada.get(`/v1/interactions/${asked.id}/wait`)).body).toMatchObject({ status: 'answered' });
    expect(await ada.made(`/v1/threads/${threadId}/messages`, { text: 'Thanks' })).toMatchObject({ role: 'user', by });
    const { body } = await ada.get<Page<Interaction>>('/v1/interactions');
    expect(body.data.map(({ id }) => id)).toEqual([asked.id, second.id]);
  });

  test('[X4] follows its thread and nothing else', async () => {
    const { threadId } = await admin.ask();
    const ada = await admin.withToken({ threadId });
    const reader = await EventReader.open(ada, '/v1/events?after=start');
    await admin.ask();
    await admin.made(`/v1/threads/${threadId}/messages`, { text: 'last' });
    expect((await reader.take(3)).map((event) => event.threadId)).toEqual([threadId, threadId, threadId]);
    expect(reader.left).toEqual([]);
    await reader.close();
  });

  test('[X4] is for nobody else and posts as nothing but a user', async () => {
    const { id, threadId } = await admin.ask();
    const ada = await admin.withToken({ threadId });
    const responder = { type: 'human', id: 'bob' };
    for (const verb of ['answers', 'decline'])
      expect((await ada.post(`/v1/interactions/${id}/${verb}`, { responder })).body).toMatchObject({
        code: 'forbidden',
      });
    for (const role of ['agent', 'system', 'tool'])
      expect((await ada.post(`/v1/threads/${threadId}/messages`, { text: 'x', role })).body).toMatchObject({
        code: 'forbidden',
      });
  });
});

describe('reach', () => {
  test('[X4] what a token does not reach does not exist for it, and no verb beyond its rights is allowed', async () => {
    const mine = await makeThings(admin);
    const others = await makeThings(admin);
    const ofThread = await admin.withToken({ threadId: mine.threadId });
    const ofInteraction = await admin.withToken({ interactionId: mine.interactionId });
    const mayInThread = new Set([
      'GET /v1/threads/:threadId',
      'GET /v1/threads/:threadId/log',
      'POST /v1/threads/:threadId/messages',
      'GET /v1/threads/:threadId/messages',
      'GET /v1/messages/:messageId',
      'GET /v1/threads/:threadId/files',
      'POST /v1/threads/:threadId/typing',
      'POST /v1/threads/:threadId/telemetry',
      'GET /v1/threads/:threadId/turn',
      'GET /v1/runs/:runId',
      'GET /v1/interactions',
      'GET /v1/interactions/count',
      'GET /v1/interactions/:interactionId',
      'GET /v1/interactions/:interactionId/wait',
      'POST /v1/interactions/:interactionId/answers',
      'POST /v1/interactions/:interactionId/decline',
      'POST /v1/interactions/:interactionId/claim',
      'POST /v1/interactions/:interactionId/release',
      'POST /v1/interactions/:interactionId/delegate',
      'POST /v1/interactions/:interactionId/viewing',
      'POST /v1/interactions/:interactionId/draft',
      'GET /v1/interactions/:interactionId/draft',
      'POST /v1/interactions/:interactionId/uploads',
      'GET /v1/files/:fileId',
      'GET /v1/files/:fileId/content',
      'POST /v1/files/:fileId/links',
    ]);
    const mayInInteraction = new Set([...mayInThread].filter((name) => /:interactionId|:fileId/.test(name)));
    for (const [client, may] of [
      [ofThread, mayInThread],
      [ofInteraction, mayInInteraction],
      [await admin.withToken({ inbox: true }), mayInInteraction],
    ] as const)
      for (const call of everyCall(others)) {
        if (['/v1/events', '/v1/interactions', '/v1/interactions/count', '/v1/me'].includes(call.route)) continue;
        const name = `${call.method} ${call.route}`;
        const { status } = await client.call(call.path, call);
        expect(status, name).toBe(may.has(name) ? 404 : 403);
      }
    for (const client of [ofThread, ofInteraction]) {
      for (const query of [`threadId=${others.threadId}`, `interactionId=${others.interactionId}`]) {
        expect((await client.get(`/v1/events?${query}`)).status, query).toBe(404);
        for (const path of ['/v1/interactions', '/v1/interactions/count'])
          expect((await client.get(`${path}?threadId=${others.threadId}`)).status).not.toBe(200);
      }
    }
    const pending = { ...mine, threadId: mine.threadId };
    for (const call of everyCall(pending)) {
      const name = `${call.method} ${call.route}`;
      // The run of these things is in a thread of its own.
      if (!mayInThread.has(name) || name.endsWith('/wait') || name.endsWith('/:runId')) continue;
      const { status } = await ofThread.call(call.path, call);
      expect(status, name).toBeOneOf([200, 201, 409]);
    }
  });

  test('[X4] a token of one interaction reaches it and not its neighbours in the thread', async () => {
    const { id, threadId } = await admin.ask();
    const neighbour = await admin.ask({}, threadId);
    const ada = await admin.withToken({ interactionId: id });
    expect((await ada.get(`/v1/interactions/${neighbour.id}`)).status).toBe(404);
    expect((await ada.get('/v1/interactions')).status).toBe(403);
    expect((await ada.get(`/v1/threads/${threadId}/log`)).status).toBe(403);
    const reader = await EventReader.open(ada, '/v1/events?after=start');
    await admin.answer(neighbour.id);
    expect((await ada.answer(id)).status).toBe(200);
    expect((await reader.take(2)).map(({ interactionId }) => interactionId)).toEqual([id, id]);
    expect(reader.left).toEqual([]);
    await reader.close();
    expect((await ada.get(`/v1/events?interactionId=${neighbour.id}`)).status).toBe(404);
  });

  test('[X4] a token of an inbox reaches what names its person, in any thread, as long as it waits', async () => {
    const responder = { type: 'human', assignees: ['ada', 'bob'] };
    const [first, second] = [await admin.ask({ responder }), await admin.ask({ responder })];
    const others = [await admin.ask(), await admin.ask({ responder: { type: 'human', assignees: ['bob'] } })];
    const ada = await admin.withToken({ inbox: true });
    const waiting = async () => (await ada.get<Page<Interaction>>('/v1/interactions')).body.data.map(({ id }) => id);
    expect(await waiting()).toEqual([first.id, second.id]);
    expect((await ada.get('/v1/interactions/count')).body).toEqual({ count: 2 });
    for (const { id } of others) expect((await ada.get(`/v1/interactions/${id}`)).status).toBe(404);
    expect((await ada.get(`/v1/threads/${first.threadId}`)).status).toBe(403);
    expect((await ada.get(`/v1/events?threadId=${first.threadId}`)).status).toBe(404);
    const reader = await EventReader.open(ada, `/v1/events?after=start&interactionId=${first.id}`);
    expect((await ada.answer(first.id)).body).toMatchObject({ status: 'answered', answer: { by: { id: 'ada' } } });
    expect((await reader.take(2)).map(({ type }) => type)).toEqual(['interaction.created', 'interaction.answered']);
    await reader.close();
    expect(await waiting()).toEqual([second.id]);
    expect((await admin.get<Page<Interaction>>('/v1/interactions?assignee=bob')).body.data).toHaveLength(2);
  });

  test('[X4] a token of another org reaches nothing of the same name here', async () => {
    const org = await admin.withOrg('tokens');
    await org.newThread({ id: 'both' });
    await admin.newThread({ id: 'both', title: 'ours' });
    const eve = await org.withToken({ threadId: 'both' });
    expect((await eve.get('/v1/threads/both')).body).not.toHaveProperty('title');
  });

  test.each([
    [{}, '/threadId'],
    [{ threadId: 'a', interactionId: 'b' }, '/threadId'],
    [{ threadId: 'a', inbox: true }, '/threadId'],
    [{ inbox: false }, '/inbox'],
    [{ threadId: 'a', ttlSeconds: 0 }, '/ttlSeconds'],
    [{ threadId: 'a', ttlSeconds: 604_801 }, '/ttlSeconds'],
    [{ threadId: 'a', responderId: '' }, '/responderId'],
  ])('[X4] a token of %j is refused with its place', async (asked, pointer) => {
    const reply = await admin.post('/v1/responder-tokens', { responderId: 'ada', ...asked });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('[X4] a token cannot be made for what is not there', async () => {
    for (const reach of [{ threadId: 'never-was' }, { interactionId: 'never-was' }])
      expect((await admin.post('/v1/responder-tokens', { responderId: 'ada', ...reach })).status).toBe(404);
  });
});

describe('validity', () => {
  test('[X4] a token expires when it says', async () => {
    const { id: threadId } = await admin.newThread();
    const { token, expiresAt } = await admin.made<ResponderToken>('/v1/responder-tokens', {
      responderId: 'ada',
      threadId,
      ttlSeconds: 60,
    });
    const ada = admin.as(token);
    const leftMs = Date.parse(expiresAt) - server.clock.now();
    expect(leftMs).toBeGreaterThan(50_000);
    expect(leftMs).toBeLessThanOrEqual(61_000);
    server.clock.offsetMs = leftMs - 5_000;
    expect((await ada.get(`/v1/threads/${threadId}`)).status).toBe(200);
    server.clock.offsetMs = leftMs;
    expect(await ada.get(`/v1/threads/${threadId}`)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    server.clock.offsetMs = 0;
    expect((await ada.get(`/v1/threads/${threadId}`)).status).toBe(200);
  });

  test('[X4] a forged or altered token is refused', async () => {
    const { id: threadId } = await admin.newThread();
    const { token } = await admin.made<ResponderToken>('/v1/responder-tokens', { responderId: 'ada', threadId });
    const [head = '', claims = '', signature = ''] = token.replace(/^hpr_/, '').split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const signed = (header: object, payload: object, secret: string) => {
      const text = `${encode(header)}.${encode(payload)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const forged = [
      `${head}.${encode({ ...decoded, sub: 'eve' })}.${signature}`,
      `${head}.${encode({ ...decoded, org: 'acme' })}.${signature}`,
      `${head}.${encode({ ...decoded, exp: 9_999_999_999 })}.${signature}`,
      `${encode({ alg: 'none' })}.${claims}.`,
      `${encode({ alg: 'none' })}.${claims}.${signature}`,
      `${encode({ alg: 'HS512' })}.${claims}.${signature}`,
      `${head}.${claims}.`,
      `${head}.${claims}`,
      `${head}.${claims}.${signature.slice(1)}`,
      `${head}.${claims}.${signature}.${signature}`,
      signed({ alg: 'HS256' }, decoded, ''),
      signed({ alg: 'HS256' }, decoded, 'secret'),
      signed({ alg: 'HS256', crit: ['b64'], b64: false }, decoded, 'secret'),
      '',
      '.',
      '..',
    ];
    expect((await admin.as(token).get(`/v1/threads/${threadId}`)).status).toBe(200);
    for (const each of forged)
      for (const given of [`hpr_${each}`, each || 'x'])
        expect((await admin.as(given).get(`/v1/threads/${threadId}`)).status, given).toBe(401);
  });

  test('[X4] a token outlives a restart, and is of no use on another server', async () => {
    await using one = await startSpecServer();
    await using two = await startSpecServer();
    await one.admin.newThread({ id: 't' });
    await two.admin.newThread({ id: 't' });
    const { token } = await one.admin.withToken({ threadId: 't' });
    await one.restart();
    expect((await one.admin.as(token).get('/v1/threads/t')).status).toBe(200);
    expect((await two.admin.as(token).get('/v1/threads/t')).status).toBe(401);
  });
});
