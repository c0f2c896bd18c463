/** Data of an earlier version, opened by this version: nothing is lost, and everything continues. */
import { verifyAnswer } from '@holdpoint/client/verify';
import { type Grant, type Interaction, jsonEqual, type Page, type Run } from '@holdpoint/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DataPlace } from './data-place.ts';
import { outcomeOf, send } from './stored-data/recorded-calls.ts';
import { fixtureNames, openFixture } from './stored-data/stored-fixtures.ts';
import { granted, hourMs } from './stored-data/story.ts';
import waitingAgent from './stored-data/waiting-agent.ts';
import { startTestServer, type TestServer } from './test-server.ts';

describe.each(fixtureNames)('data written by %s', (name) => {
  let place: DataPlace;
  let server: TestServer;
  let stored: Awaited<ReturnType<typeof openFixture>>;

  beforeEach(async () => {
    stored = await openFixture(name);
    ({ place } = stored);
    server = await startTestServer({
      ...{ place, startAt: stored.madeAt, responderRateLimit: 0 },
      internals: { agents: [waitingAgent] },
    });
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const get = async (id: string) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;
  const answer = async (id: string, values: object, responderId: string) => {
    const responder = { type: 'human', id: responderId };
    const reply = await server.admin.post<Interaction>(`/v1/interactions/${id}/answers`, { values, responder });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };

  test('[I20] every call repeated under its key gets the resource that the first call made', async () => {
    expect(stored.calls.length).toBeGreaterThan(70);
    const outcomes = [];
    for (const call of stored.calls) outcomes.push({ ...call, repeated: outcomeOf(await send(server.url, call)) });
    expect(outcomes).toEqual(stored.calls);
  });

  test('[I2] another body under a key of that version is refused', async () => {
    const call = stored.calls.find(({ path }) => path === '/v1/threads');
    if (!call) throw new Error('the fixture has no thread');
    const { body, status } = await send(server.url, { ...call, body: { title: 'Another' } });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency-key-reused' });
  });

  test('[S10][BD4] its answers belong to their questions', async () => {
    const answered = await Promise.all(stored.ids.answered.map(get));
    for (const interaction of answered) {
      expect(interaction.status).toBe('answered');
      expect(await verifyAnswer(interaction)).toBe(true);
    }
  });

  test('[S10] its pending questions are in the inbox of their assignee and can be answered', async () => {
    const { voted, odd, changed, inDialect } = stored.ids;
    const { body } = await server.admin.post<{ token: string }>('/v1/responder-tokens', {
      ...{ responderId: 'ann', inbox: true },
    });
    const inbox = await server.admin.as(body.token).get<Page<Interaction>>('/v1/interactions?status=pending');
    expect(inbox.body.data.map(({ id }) => id).toSorted()).toEqual([voted, odd].toSorted());
    const approved = await answer(voted, { decision: 'allow' }, 'bob');
    expect(approved).toMatchObject({ status: 'answered', votes: [{ by: { id: 'ann' } }, { by: { id: 'bob' } }] });
    await answer(odd, { text: 'Fine' }, 'ann');
    await answer(changed, { region: 'eu' }, 'ann');
    await answer(inDialect, { choice: 'yes' }, 'ann');
    for (const id of [voted, odd, changed, inDialect]) expect(await verifyAnswer(await get(id))).toBe(true);
  });

  test('[S10][D4] its deadlines fire', async () => {
    server.clock.offsetMs += hourMs;
    await expect.poll(() => get(stored.ids.timed)).toMatchObject({ status: 'answered', closedReason: 'deadline' });
  });

  test('[S10][G20] a grant with its coverage answers, a grant with only a key does not; both can be revoked', async () => {
    const requester = server.admin.as(stored.calls.find(({ body }) => jsonEqual(body, granted))?.token ?? '');
    const { id: threadId } = (await server.admin.post<{ id: string }>('/v1/threads')).body;
    const ask = async () => (await requester.post<Interaction>(`/v1/threads/${threadId}/interactions`, granted)).body;
    const listed = (await server.admin.get<Page<Grant>>('/v1/grants?key=rm')).body.data;
    const grant = listed.find(({ id }) => id === stored.ids.grant);
    expect(grant).toBeDefined();
    expect((await ask()).answer?.grantId).toBe(grant?.covers ? grant.id : undefined);
    const { status } = await server.admin.post<Grant>(`/v1/grants/${stored.ids.grant}/revoke`);
    expect(status).toBe(200);
    expect(await ask()).toMatchObject({ status: 'pending' });
  });

  test('[S10][DA1] its waiting runs continue with the answer', async () => {
    const { waiting: threadId } = stored.ids;
    const pending = `/v1/interactions?status=pending&threadId=${threadId}`;
    const [asked] = (await server.admin.get<Page<Interaction>>(pending)).body.data;
    await answer(asked?.id ?? '', { env: 'prod' }, 'ann');
    const { body } = await server.admin.get<{ run: Run }>(`/v1/threads/${threadId}/turn?timeoutMs=30000`);
    expect(body.run).toMatchObject({ status: 'completed', result: ['build-7', 'prod'] });
  });
});
