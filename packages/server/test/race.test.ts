/** Many concurrent calls on the same record. */
import type { FreeObject, Interaction, LogEvent } from '@holdpoint/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Reply } from './client.ts';
import { listInteractions, readLog } from './read-everything.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let thread: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(async () => {
  thread = (await server.admin.post<{ id: string }>('/v1/threads')).body.id;
});

interface ProblemBody {
  code: string;
  detail: string;
  current: Partial<Interaction>;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const at = (offsetMs: number): string => new Date(server.clock.now() + offsetMs).toISOString();

const person = (index: number) => ({ type: 'human', id: `person-${index}` });

async function ask(more: object = {}): Promise<Interaction> {
  const asked = { title: 'Deploy?', options: ['yes', 'no'], ...more };
  const { status, body } = await server.admin.post<Interaction>(`/v1/threads/${thread}/interactions`, asked);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const answer = <T = Interaction>(id: string, by = person(0), choice = 'yes'): Promise<Reply<T>> =>
  server.admin.post<T>(`/v1/interactions/${id}/answers`, { values: { choice }, responder: by });

const get = async (id: string): Promise<Interaction> =>
  (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;

const wait = (id: string): Promise<Reply<Interaction>> =>
  server.admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`);

const eventsOf = (log: readonly LogEvent[], id: string): LogEvent[] => log.filter((one) => one.interactionId === id);

const isClosing = ({ type }: LogEvent): boolean => /^interaction\.(answered|declined|cancelled|expired)$/.test(type);

test('[AN4] if 50 answers come at once, one wins, and 49 get its responder and its time', async () => {
  const { id } = await ask();
  const replies = await Promise.all(times(50, (index) => answer<ProblemBody>(id, person(index))));
  const interaction = await get(id);
  const winner = interaction.answer?.by;
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...times(49, () => 409)]);
  expect(winner).toMatchObject(person(replies.findIndex(({ status }) => status === 200)));
  for (const { body } of replies.filter(({ status }) => status === 409)) {
    expect(body.code).toBe('interaction-already-answered');
    expect(body.current).toMatchObject({ status: 'answered', closedBy: winner, closedAt: interaction.closedAt });
    expect(body.detail).toContain(winner?.id);
  }
  expect(interaction.version).toBe(2);
  expect(eventsOf(await readLog(server.admin, thread), id).map(({ type }) => type)).toEqual([
    'interaction.created',
    'interaction.answered',
  ]);
});

test('[R1][R2][AN10] 50 votes at once on a quorum of 50 all count, each once and in the order of the log', async () => {
  const { id } = await ask({ resolution: { mode: 'quorum', count: 50 } });
  const replies = await Promise.all(times(50, (index) => answer(id, person(index))));
  expect(replies.map(({ status }) => status)).toEqual(times(50, () => 200));
  const interaction = await get(id);
  expect(interaction).toMatchObject({ status: 'answered', version: 51 });
  expect(interaction.votes.map(({ by }) => by.id).sort()).toEqual(times(50, (index) => person(index).id).sort());
  const [, ...votes] = eventsOf(await readLog(server.admin, thread), id);
  expect(votes.map(({ actor }) => actor)).toEqual(interaction.votes.map(({ by }) => by));
  expect(votes.map(({ data }) => (data as FreeObject).version)).toEqual(times(50, (index) => index + 2));
});

test('[R2] one person who votes 20 times at once votes once', async () => {
  const { id } = await ask({ resolution: { mode: 'quorum', count: 3 } });
  const replies = await Promise.all(times(20, () => answer<ProblemBody>(id)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 'already-voted')).toHaveLength(19);
  expect((await get(id)).votes).toHaveLength(1);
});

test('[AN2][AN7][D4] an answer, a cancel and the deadline at once: exactly one closes each interaction', async () => {
  const deadline = { at: at(3_600_000), outcome: 'expire' };
  const asked = await Promise.all(times(60, () => ask({ deadline })));
  const racing = asked.map(({ id }, index) => {
    // The clock jumps in the middle, and a change makes the timer check at once.
    if (index === 30) {
      server.clock.offsetMs += 3_600_000;
      void server.admin.post(`/v1/threads/${thread}/interactions`, { title: 'Now' });
    }
    const calls = [answer(id), server.admin.post<Interaction>(`/v1/interactions/${id}/cancel`), wait(id)];
    return Promise.all(index % 2 === 0 ? calls : calls.reverse());
  });
  const outcomes = await Promise.all(racing);
  const log = await readLog(server.admin, thread);
  asked.forEach(({ id }, index) => {
    const events = eventsOf(log, id);
    expect(events).toHaveLength(2);
    expect(events.filter(isClosing)).toHaveLength(1);
    const waited = outcomes[index]?.find(({ body }) => body.version === 2)?.body;
    expect(waited?.closedBy).toEqual(events[1]?.actor);
  });
  const records = await listInteractions(server.admin, `threadId=${thread}`);
  for (const { id, status, version } of records.filter(({ title }) => title === 'Deploy?'))
    expect({ id, status, version }).toMatchObject({ status: expect.not.stringMatching('pending'), version: 2 });
});

test('[I1] one key used 20 times at once creates one resource, and every caller gets it', async () => {
  const same = { 'idempotency-key': `once-${thread}` };
  const asked = await Promise.all(
    times(20, () => server.admin.post<Interaction>(`/v1/threads/${thread}/interactions`, { title: 'Deploy?' }, same)),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(asked.map(({ body }) => body.id)).size).toBe(1);
  expect(await listInteractions(server.admin, `threadId=${thread}`)).toHaveLength(1);

  const id = asked[0]?.body.id;
  const key = { 'idempotency-key': `answer-${thread}` };
  const answered = await Promise.all(
    times(20, () => server.admin.post<Interaction>(`/v1/interactions/${id}/answers`, { values: { text: 'go' } }, key)),
  );
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answered.map(({ body }) => body.answer?.id)).size).toBe(1);
  expect(await readLog(server.admin, thread)).toHaveLength(3);
});

test('[W1][W2] waits that begin while the answer lands never hang', async () => {
  for (let round = 0; round < 100; round++) {
    const { id } = await ask();
    const before = times(round % 4, () => wait(id));
    const answering = answer(id);
    const during = times(3, () => wait(id));
    const [answered, ...waited] = await Promise.all([answering, ...before, ...during]);
    expect(waited.map(({ body }) => body)).toEqual(waited.map(() => answered.body));
  }
});

test('[W1] a hundred waits wake at every vote until the last', async () => {
  const { id } = await ask({ resolution: { mode: 'unanimous', count: 10 } });
  const waiting = times(100, () => wait(id));
  await Promise.all(times(10, (index) => answer(id, person(index))));
  for (const { body } of await Promise.all(waiting)) expect(body).toMatchObject({ status: 'answered', version: 11 });
});

test('[U1][U2][AN4] an update and an answer at once happen one after the other, in any order', async () => {
  const outcomes = await Promise.all(
    times(40, async (index) => {
      const { id } = await ask();
      const update = () =>
        server.admin.call<ProblemBody>(`/v1/interactions/${id}`, { method: 'PATCH', body: { title: 'Deploy now?' } });
      const [first, second] = index % 2 === 0 ? [update, () => answer(id)] : [() => answer(id), update];
      const replies = await Promise.all([first(), second()]);
      return { id, updated: replies[index % 2] as Reply<ProblemBody> };
    }),
  );
  const log = await readLog(server.admin, thread);
  for (const { id, updated } of outcomes) {
    const record = await get(id);
    const types = eventsOf(log, id).map(({ type }) => type);
    expect(record.status).toBe('answered');
    if (updated.status === 200) {
      expect(record).toMatchObject({ title: 'Deploy now?', version: 3 });
      expect(types).toEqual(['interaction.created', 'interaction.updated', 'interaction.answered']);
    } else {
      expect(updated.body.code).toBe('interaction-already-answered');
      expect(record).toMatchObject({ title: 'Deploy?', version: 2 });
      expect(types).toEqual(['interaction.created', 'interaction.answered']);
    }
  }
});

test('[U2] if 20 updates at once expect the same version, one is done', async () => {
  const { id } = await ask();
  const replies = await Promise.all(
    times(20, (index) =>
      server.admin.call<ProblemBody>(`/v1/interactions/${id}`, {
        method: 'PATCH',
        body: { title: `Deploy ${index}?`, expectedVersion: 1 },
      }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 'version-conflict')).toHaveLength(19);
  expect((await get(id)).title).toBe(`Deploy ${replies.findIndex(({ status }) => status === 200)}?`);
});

test('[L2] events that many callers append to one thread at once are numbered without a gap', async () => {
  await Promise.all(times(200, (index) => server.admin.post(`/v1/threads/${thread}/messages`, { text: `${index}` })));
  const log = await readLog(server.admin, thread);
  expect(log.map(({ seq }) => seq)).toEqual(times(201, (index) => index + 1));
});
