/** Deadlines: on time, once, through restarts and clocks that jump. */
import type { Interaction, LogEvent } from '@holdpoint/protocol';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startServer } from '../src/main.ts';
import { Client } from './client.ts';
import { followEvents, listInteractions, readLog } from './read-everything.ts';
import { adminKey, startTestServer, type TestServer } from './test-server.ts';

const hour = 3_600_000;
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await server.admin.post('/v1/threads', { id: 'one' });
});

const at = (offsetMs: number): string => new Date(server.clock.now() + offsetMs).toISOString();

/** Tests with a deadline that is near. If the machine is too slow, it tries again with a later deadline. */
async function soon<T>(attempt: (inMs: number) => Promise<T | undefined>): Promise<T> {
  for (let inMs = 400; ; inMs *= 2) {
    const done = await attempt(inMs);
    if (done) return done;
  }
}

const askSoon = (outcome = 'expire', more: object = {}): Promise<Interaction> =>
  soon(async (inMs) => {
    const { status, body } = await tryToAsk(inMs, outcome, more);
    return status === 201 ? body : undefined;
  });

async function ask(inMs: number, outcome = 'expire', more: object = {}): Promise<Interaction> {
  const { status, body } = await tryToAsk(inMs, outcome, more);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const tryToAsk = (inMs: number, outcome: string, more: object) =>
  server.admin.post<Interaction>('/v1/threads/one/interactions', {
    title: 'Deploy?',
    options: ['yes', 'no'],
    deadline: { at: at(inMs), outcome },
    ...more,
  });

const get = async (id: string): Promise<Interaction> =>
  (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;

const wait = async (id: string): Promise<Interaction> =>
  (await server.admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`)).body;

const patch = (id: string, body: object) =>
  server.admin.call<{ code: string }>(`/v1/interactions/${id}`, { method: 'PATCH', body });

const isLate = ({ closedAt, deadline }: Interaction): boolean => `${closedAt}` >= `${deadline?.at}`;

test('[D1][D4][D5] at the deadline the interaction expires, and its wait ends', async () => {
  const { id } = await askSoon();
  const waited = await wait(id);
  const deadline = { type: 'system', id: 'deadline', via: 'deadline' };
  expect(waited).toMatchObject({ status: 'expired', closedReason: 'deadline', closedBy: deadline, version: 2 });
  expect(waited.answer).toBeUndefined();
  expect(isLate(waited)).toBe(true);
  const event = (await readLog(server.admin, 'one')).at(-1);
  expect(event).toMatchObject({ type: 'interaction.expired', interactionId: id, actor: deadline, at: waited.closedAt });
});

test('[D1][D5] with outcome recommended it accepts the recommended answer, marked as automatic', async () => {
  const { id } = await askSoon('recommended', { recommendations: { choice: 'no' } });
  const waited = await wait(id);
  expect(waited).toMatchObject({
    status: 'answered',
    closedReason: 'deadline',
    answer: { decision: 'accepted', values: { choice: 'no' }, automatic: 'deadline', by: { id: 'deadline' } },
  });
  expect(isLate(waited)).toBe(true);
  expect((await readLog(server.admin, 'one')).at(-1)?.type).toBe('interaction.answered');
});

test('[D1][D5] with outcome decline it declines, marked as automatic', async () => {
  const { id } = await askSoon('decline');
  const waited = await wait(id);
  expect(waited).toMatchObject({
    status: 'answered',
    closedReason: 'deadline',
    answer: {
      decision: 'declined',
      values: {},
      automatic: 'deadline',
      by: { type: 'system', id: 'deadline', via: 'deadline' },
    },
  });
  expect(isLate(waited)).toBe(true);
  expect((await readLog(server.admin, 'one')).at(-1)?.type).toBe('interaction.declined');
});

test('[D4] it fires without any request arriving', async () => {
  const stop = new AbortController();
  const events = followEvents(server.admin, 'start', stop.signal);
  await events.next();
  const { id, deadline } = await askSoon();
  await events.next();
  const { value } = (await events.next()) as { value: LogEvent };
  expect(value).toMatchObject({ type: 'interaction.expired', interactionId: id });
  expect(value.at >= `${deadline?.at}`).toBe(true);
  stop.abort();
});

test('[D4] an earlier deadline of a later question fires first', async () => {
  const far = await ask(hour);
  const near = await askSoon();
  expect((await wait(near.id)).status).toBe('expired');
  expect((await get(far.id)).status).toBe('pending');
});

test('[D4][U1] a moved deadline fires at its new time, and a removed deadline never', async () => {
  const [later, removed, nearer, fixed] = [await ask(hour), await ask(hour), await ask(9 * hour), await ask(2 * hour)];
  await patch(later.id, { deadline: { at: at(5 * hour), outcome: 'expire' } });
  await patch(removed.id, { deadline: null });
  await patch(nearer.id, { deadline: { at: at(2 * hour), outcome: 'decline' } });
  server.clock.offsetMs += 3 * hour;
  expect((await wait(fixed.id)).status).toBe('expired');
  expect((await wait(nearer.id)).answer?.automatic).toBe('deadline');
  expect((await get(later.id)).status).toBe('pending');
  server.clock.offsetMs += 3 * hour;
  expect((await wait(later.id)).status).toBe('expired');
  expect((await get(removed.id)).status).toBe('pending');
});

test('[D4] a deadline that is moved near wakes a timer that waits for a later one', async () => {
  const { id } = await ask(hour);
  await soon(async (inMs) => (await patch(id, { deadline: { at: at(inMs), outcome: 'expire' } })).status === 200);
  const waited = await wait(id);
  expect(waited.status).toBe('expired');
  expect(isLate(waited)).toBe(true);
});

test('[D3] from the deadline on, answers, declines and updates are refused even before it fires', async () => {
  const { id } = await ask(hour, 'recommended', { recommendations: { choice: 'no' } });
  server.clock.offsetMs += hour;
  const replies = await Promise.all([
    server.admin.post<{ code: string }>(`/v1/interactions/${id}/answers`, { values: { choice: 'yes' } }),
    server.admin.post<{ code: string }>(`/v1/interactions/${id}/decline`),
    patch(id, { title: 'Deploy now?' }),
  ]);
  for (const { status, body } of replies) {
    expect(status).toBe(409);
    // After it has fired, they get the answer that it accepted.
    expect(body.code).toBeOneOf(['interaction-expired', 'interaction-already-answered']);
  }
  expect(replies[0]?.body.code).toBe('interaction-expired');
  expect((await wait(id)).answer?.values).toEqual({ choice: 'no' });
});

test('[D4] a clock that jumps forward fires the due deadlines, without any request arriving', async () => {
  const { id } = await ask(hour);
  const waiting = wait(id);
  server.clock.offsetMs += hour;
  const waited = await waiting;
  expect(waited.status).toBe('expired');
  expect(isLate(waited)).toBe(true);
});

test('[D4] a clock that jumps back does not fire early', async () => {
  const { first, second } = await soon(async (inMs) => {
    const first = await ask(inMs + 1_000);
    server.clock.offsetMs -= hour;
    // When this deadline is due, the first would have been due by the earlier clock.
    const second = await ask(inMs + 1_000);
    if ((await get(first.id)).status === 'pending') return { first, second };
    server.clock.offsetMs += hour;
    return undefined;
  });
  const waited = await wait(second.id);
  expect(waited.status).toBe('expired');
  expect(isLate(waited)).toBe(true);
  expect((await get(first.id)).status).toBe('pending');
  server.clock.offsetMs += hour;
  expect((await wait(first.id)).status).toBe('expired');
});

test('[D4] hundreds due at the same moment each fire once, with their waiters', async () => {
  const deadline = { at: at(hour), outcome: 'decline' };
  const asked = await Promise.all(Array.from({ length: 450 }, () => ask(hour, 'decline', { deadline })));
  const waiting = asked.filter((_, index) => index % 9 === 0).map(({ id }) => wait(id));
  server.clock.offsetMs += hour;
  for (const { answer } of await Promise.all(waiting)) expect(answer?.automatic).toBe('deadline');
  await expect.poll(() => listInteractions(server.admin, 'status=pending'), { timeout: 30_000 }).toEqual([]);
  const declined = (await readLog(server.admin, 'one')).filter(({ type }) => type === 'interaction.declined');
  expect(new Set(declined.map(({ interactionId }) => interactionId)).size).toBe(450);
  expect(declined).toHaveLength(450);
});

test('[D4] a deadline that came while the server was down fires once, at the start', async () => {
  const { id, deadline } = await ask(hour);
  await server.stop();
  const config = { ...readConfig(['--port', '0', '--log-level', 'silent'], { HOLDPOINT_API_KEY: adminKey }) };
  const later = await startServer({ ...config, ...server.place.config }, { now: () => Date.now() + hour });
  const admin = new Client(later.url, adminKey);
  const { body } = await admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`);
  await later.stop();
  expect(body).toMatchObject({ status: 'expired', version: 2 });
  expect(`${body.closedAt}` >= `${deadline?.at}`).toBe(true);

  const again = await startServer({ ...config, ...server.place.config }, { now: () => Date.now() + 2 * hour });
  const log = await readLog(new Client(again.url, adminKey), 'one');
  await again.stop();
  expect(log.map(({ type }) => type)).toEqual(['thread.created', 'interaction.created', 'interaction.expired']);
});

test('[D1] a deadline that is not in the future is refused, and nothing is stored', async () => {
  for (const offsetMs of [-1, -hour]) {
    const { status, body } = await server.admin.post<{ errors: { pointer: string }[] }>(
      '/v1/threads/one/interactions',
      {
        title: 'Deploy?',
        deadline: { at: at(offsetMs), outcome: 'expire' },
      },
    );
    expect(status).toBe(400);
    expect(body.errors[0]?.pointer).toBe('/deadline/at');
  }
  expect(await listInteractions(server.admin)).toEqual([]);
});

test('[D6][D8] reminders fire before the deadline, once each, also after a jump of the clock', async () => {
  const deadline = { at: at(4 * hour), outcome: 'expire', remindBeforeMs: [hour, 2 * hour, 5 * hour] };
  const { id, nextReminderAt } = await ask(4 * hour, 'expire', { deadline });
  expect(Date.parse(`${nextReminderAt}`)).toBe(Date.parse(deadline.at) - 2 * hour);
  const types = async () =>
    (await readLog(server.admin, 'one')).filter(({ interactionId }) => interactionId === id).map(({ type }) => type);
  server.clock.offsetMs += 2 * hour;
  await expect.poll(types, { timeout: 30_000 }).toEqual(['interaction.created', 'interaction.reminded']);
  server.clock.offsetMs += 1.5 * hour;
  await expect.poll(async () => (await types()).length, { timeout: 30_000 }).toBe(3);
  server.clock.offsetMs += hour;
  expect((await wait(id)).status).toBe('expired');
  expect(await types()).toEqual([
    'interaction.created',
    'interaction.reminded',
    'interaction.reminded',
    'interaction.expired',
  ]);
});

test('[D7][D8] from the time of an escalation its assignees may answer', async () => {
  const escalations = [{ at: at(hour), assignees: ['ben'] }];
  const { status, body } = await server.admin.post<Interaction>('/v1/threads/one/interactions', {
    title: 'Deploy?',
    options: ['yes', 'no'],
    responder: { type: 'human', assignees: ['ann'] },
    escalations,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const answer = () =>
    server.admin.post<{ code: string }>(`/v1/interactions/${body.id}/answers`, {
      values: { choice: 'yes' },
      responder: { type: 'human', id: 'ben' },
    });
  expect((await answer()).body.code).toBe('wrong-responder');
  server.clock.offsetMs += hour;
  await expect.poll(async () => (await get(body.id)).responder.assignees, { timeout: 30_000 }).toEqual(['ann', 'ben']);
  expect((await answer()).status).toBe(200);
  expect((await readLog(server.admin, 'one')).map(({ type }) => type)).toEqual([
    'thread.created',
    'interaction.created',
    'interaction.escalated',
    'interaction.answered',
  ]);
});

test('[D6][D8] a reminder that came while the server was down fires once, at the start', async () => {
  const deadline = { at: at(9 * hour), outcome: 'expire', remindBeforeMs: [6 * hour, 7 * hour, 8 * hour] };
  await ask(9 * hour, 'expire', { deadline });
  await server.stop();
  const config = { ...readConfig(['--port', '0', '--log-level', 'silent'], { HOLDPOINT_API_KEY: adminKey }) };
  for (const restart of [1, 2]) {
    const later = await startServer({ ...config, ...server.place.config }, { now: () => Date.now() + 4 * hour });
    const types = async () => (await readLog(new Client(later.url, adminKey), 'one')).map(({ type }) => type);
    const expected = ['thread.created', 'interaction.created', 'interaction.reminded'];
    await expect.poll(types, { timeout: 30_000, message: `restart ${restart}` }).toEqual(expected);
    await later.stop();
  }
});
