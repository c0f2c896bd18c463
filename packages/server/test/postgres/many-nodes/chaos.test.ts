/** Three nodes under load are killed one after the other, and their database too. No caller loses an answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Interaction, type LogEvent, limits } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { listInteractions, readLog } from '../../read-everything.ts';
import { startPostgres } from '../start-postgres.ts';
import { type Cluster, type Node, startCluster } from './cluster.ts';
import { endThread, followLog } from './follow-log.ts';
import { slowCommits } from './slow-commits.ts';

/** Many: batches wait for each other's threads, and only those that do not wait may commit in another order. */
const threads = Array.from({ length: 60 }, (_, index) => `thread-${index}`);
const workers = 60;
/** At most this long after it was asked a question is answered: by then others wait, and must be woken. */
const thinkMs = 100;
/** So often is a node killed. */
const rounds = 8;
/** Number of questions after that. The next kill would wake a waiter that was missed. */
const calmQuestions = 400;
const roundMs = 1_000;
/** In this round the database is killed as well. */
const databaseRound = 4;
const limitMs = 180_000;

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

interface Asked {
  id: string;
  /** The results of the waiters. */
  waited: Interaction[];
  /** The answers that were accepted. */
  accepted: string[];
}

/** Somebody asks, two wait, and two answer at once, each at any node, and at another where that one is gone. */
async function askOnce({ nodes, call }: Cluster, name: string): Promise<Asked> {
  const thread = anyOf(threads);
  const created = await call<Interaction>(`/v1/threads/${thread}/interactions`, {
    body: { title: name, options: ['ann', 'bob'] },
    key: `ask-${name}`,
  });
  expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201, body: { title: name, threadId: thread } });
  const { id } = created.body;
  const path = `/v1/interactions/${id}`;

  const wait = async (at: Node): Promise<Interaction> => {
    while (true) {
      const startedAt = performance.now();
      const { status, body } = await call<Interaction>(`${path}/wait?timeoutMs=${limits.waitMs}`, { at });
      expect(status, JSON.stringify(body)).toBe(200);
      // Whose wake-up is lost finds the answer too, but only when its time is up.
      expect(performance.now() - startedAt, 'a waiter was not woken').toBeLessThan(limits.waitMs);
      if (body.status !== 'pending') return body;
    }
  };
  const answer = async (who: string): Promise<string[]> => {
    const { status, body } = await call<{ code: string }>(`${path}/answers`, {
      body: { values: { choice: who }, responder: { type: 'human', id: who } },
      key: `${who}-${name}`,
    });
    if (status === 200) return [who];
    expect(body.code, JSON.stringify(body)).toBe('interaction-already-answered');
    return [];
  };
  const [one, two] = nodes.toSorted(() => Math.random() - 0.5) as [Node, Node];
  const waiting = Promise.all([wait(one), wait(two)]);
  waiting.catch(() => {});
  await pause(Math.random() * thinkMs);
  const accepted = await Promise.all([answer('ann'), answer('bob')]);
  return { id, waited: await waiting, accepted: accepted.flat() };
}

/**
 * Kills one node a second, as long as another one runs, and in one of the rounds the database. Any node, but first
 * those that were spared: each is killed at least once, with any readers of the log there.
 */
async function batter({ nodes }: Cluster, restartDatabase: () => Promise<void>): Promise<void> {
  const restarts: Promise<void>[] = [];
  let spared = [...nodes];
  for (let round = 0; round < rounds; round++) {
    await pause(roundMs);
    const running = () => nodes.filter(({ server }) => server);
    while (running().length < 2) await pause(20);
    const victim = anyOf(spared.length > 0 ? spared : running());
    spared = spared.filter((node) => node !== victim);
    restarts.push(victim.killAndRestart());
    if (round === databaseRound) restarts.push(restartDatabase());
  }
  await Promise.all(restarts);
}

const numbers = (events: readonly LogEvent[]): number[] => events.map(({ seq }) => seq);
const places = (events: readonly LogEvent[]): string[] => events.map(({ threadId, seq }) => `${threadId} ${seq}`);

test('[N1][N2][S1][AN4][W1][I1][L2][L3][L4] nodes and database killed under load: every question is answered once, every waiter answered, every event read once', {
  timeout: limitMs,
}, async () => {
  const postgres = await startPostgres({ fsync: true });
  onTestFinished(() => postgres.discard());
  const cluster = await startCluster({ url: postgres.url, size: 3 });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  await slowCommits(postgres.url);
  const { nodes, call, someNode } = cluster;
  const made = await Promise.all(threads.map((id) => call('/v1/threads', { body: { id }, key: id })));
  expect(made.map(({ status }) => status)).toEqual(threads.map(() => 201));

  const following = Promise.all(
    nodes.map((node) => followLog(async (connection) => (await someNode(connection === 1 ? node : undefined)).admin)),
  );
  // Reports any other failure instead.
  following.catch(() => {});
  const all: Asked[] = [];
  let goal = Number.POSITIVE_INFINITY;
  const battering = batter(cluster, () => postgres.kill().then(postgres.start)).then(() => {
    goal = all.length + calmQuestions;
  });
  const working = Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let n = 0; all.length < goal; n++) all.push(await askOnce(cluster, `${worker}-${n}`));
    }),
  );
  await Promise.all([working, battering]);
  await call('/v1/threads', { body: { id: endThread } });
  const followed = await Promise.race([following, pause(30_000, undefined, { ref: false })]);
  expect(cluster.letDowns).toBeGreaterThan(rounds);

  const { admin } = await someNode();
  const records = new Map((await listInteractions(admin)).map((record) => [record.id, record]));
  expect([...records.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
  for (const { id, waited, accepted } of all) {
    const record = records.get(id);
    expect(record).toMatchObject({ status: 'answered', version: 2 });
    expect(accepted).toEqual([record?.answer?.by.id]);
    for (const one of waited) expect(one).toEqual(record);
  }

  const logs = await Promise.all(threads.map((id) => readLog(admin, id)));
  for (const log of logs) expect(numbers(log)).toEqual(log.map((_, index) => index + 1));
  const happened = logs.flat().map(({ type, interactionId, data }) => {
    const by = 'answer' in data ? data.answer.by.id : undefined;
    return [type, ...(interactionId ? [interactionId] : []), ...(by ? [by] : [])].join(' ');
  });
  const expected = all.flatMap(({ id, accepted }) => [
    `interaction.created ${id}`,
    `interaction.answered ${id} ${accepted[0]}`,
  ]);
  expect(happened.sort()).toEqual([...threads.map(() => 'thread.created'), ...expected].sort());

  const whole = logs.flat().sort((a, b) => (a.cursor < b.cursor ? -1 : 1));
  expect(new Set(whole.map(({ cursor }) => cursor)).size).toBe(whole.length);
  for (const [index, id] of threads.entries())
    expect(numbers(whole.filter(({ threadId }) => threadId === id))).toEqual(numbers(logs[index] ?? []));
  for (const { server } of nodes)
    expect(await Promise.all(threads.map((id) => readLog(server?.admin ?? admin, id)))).toEqual(logs);

  for (const { events, connections } of followed ?? []) {
    expect(places(events)).toEqual(places(whole));
    expect(events).toEqual(whole);
    expect(connections).toBeGreaterThan(1);
  }
  expect(followed, 'a stream did not come to its end').toHaveLength(nodes.length);
});
