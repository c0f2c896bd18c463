/** Connections that are cut, also during a commit. Callers are asked to retry, and the retry finds the outcome. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { listInteractions, readLog } from '../../read-everything.ts';
import { serversOfATest } from '../../servers-of-a-test.ts';
import { spawnServer } from '../../spawned-server.ts';
import { expectAway } from './expect-away.ts';
import { endThread, followLog } from './follow-log.ts';
import { parkWaiter } from './park-waiter.ts';
import { startProxy } from './proxy.ts';
import { readsGoOn } from './reads-go-on.ts';
import { sessionOfATest } from './session-of-a-test.ts';

const servers = serversOfATest();
const databaseUrl = () => `${servers.place.config.databaseUrl}`;
const quiet = { args: ['--log-level', 'silent'] };
const question = { title: 'Go on?', options: ['yes', 'no'] };

/** The response of the database to a transaction that it has committed. */
const isAcknowledgement = (said: Buffer): boolean => said.includes('COMMIT\0');

/** A node that reaches its database by a proxy. */
async function startBehindProxy() {
  const proxy = await startProxy(databaseUrl());
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const node = await spawnServer({ place: { flags: ['--database-url', proxy.url] }, ...quiet });
  servers.running.add(node);
  return { proxy, node };
}

const cutOff = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'holdpoint'`;

test('[N4][S1][I1][L2][L4] sessions cut again and again under load: calls succeed or get 503, repeats settle them, nothing is doubled', async () => {
  const [{ proxy, node }, other] = await Promise.all([startBehindProxy(), servers.start(quiet)]);
  const nodes = [node, other];
  const { admin } = other;
  const threads = Array.from({ length: 8 }, (_, index) => `thread-${index}`);
  for (const id of threads) expect((await admin.post('/v1/threads', { id })).status).toBe(201);
  const following = followLog((connection) => nodes[connection % 2]?.admin ?? admin);
  following.catch(() => {});

  let commits = 0;
  proxy.cutAt = (said) => isAcknowledgement(said) && ++commits % 5 === 0;
  const enough = 60;
  let refusals = 0;
  const made: Interaction[] = [];
  const isOver = () => refusals >= enough && made.length >= enough && proxy.cuts >= 5;
  const asking = Array.from({ length: 16 }, async (_, worker) => {
    for (let n = 0; !isOver(); n++) {
      const path = `/v1/threads/${threads[(worker + n) % threads.length]}/interactions`;
      for (let tries = 0; ; tries++) {
        const node = nodes[(worker + tries) % 2]?.admin ?? admin;
        const reply = await node.post<Interaction>(path, question, { 'idempotency-key': `ask-${worker}-${n}` });
        if (reply.status === 201) {
          made.push(reply.body);
          break;
        }
        expectAway(reply);
        refusals++;
      }
    }
  });
  const session = await sessionOfATest(databaseUrl());
  const cutting = (async () => {
    while (!isOver()) {
      const count = made.length;
      await session.query(cutOff);
      // Some get through before the next cut, so that the cuts fall into commits and not only into connecting.
      while (made.length < count + 5 && !isOver()) await session.query('SELECT pg_sleep(0.01)');
    }
  })();
  await Promise.all([...asking, cutting]);
  proxy.cutAt = undefined;
  await readsGoOn(admin);

  const records = await listInteractions(admin);
  expect(records.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  const logs = await Promise.all(threads.map((id) => readLog(admin, id)));
  for (const log of logs) expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const created = logs.flat().filter(({ type }) => type === 'interaction.created');
  expect(created.map(({ interactionId }) => interactionId).sort()).toEqual(made.map(({ id }) => id).sort());
  await expect.poll(async () => (await admin.post('/v1/threads', { id: endThread })).status).toBe(201);
  const whole = logs.flat().sort((a, b) => (a.cursor < b.cursor ? -1 : 1));
  expect((await following).events).toEqual(whole);
});

test('[N4][I1][S1] a commit whose acknowledgement is lost is reported as unknown, and found by the repeat', async () => {
  const { proxy, node } = await startBehindProxy();
  const { admin } = node;
  expect((await admin.post('/v1/threads', { id: 'one' })).status).toBe(201);
  const ask = () => admin.post('/v1/threads/one/interactions', question, { 'idempotency-key': 'ask' });

  proxy.cutAt = isAcknowledgement;
  const refused = await ask();
  expectAway(refused);
  expect(refused.body.detail).toMatch(/^The change may or may not be stored/);
  expect(proxy.cuts).toBe(1);
  await readsGoOn(admin);
  const [stored] = await listInteractions(admin);
  expect(stored).toMatchObject({ title: question.title, status: 'pending' });

  proxy.cutAt = undefined;
  expect(await ask()).toMatchObject({ status: 201, body: { id: stored?.id } });
  expect(await listInteractions(admin)).toEqual([stored]);
  expect((await readLog(admin, 'one')).map(({ type }) => type)).toEqual(['thread.created', 'interaction.created']);
});

test('[N4][W1] a waiter whose read fails after a wake-up reads again', async () => {
  const [{ proxy, node }, other] = await Promise.all([startBehindProxy(), servers.start(quiet)]);
  await other.admin.post('/v1/threads', { id: 'one' });
  const { body: asked } = await other.admin.post<Interaction>('/v1/threads/one/interactions', question);
  const { waiting } = await parkWaiter(node.admin, asked.id);
  // It hears of the answer, but every record that it asks for is lost.
  proxy.cutAt = (said) => said.includes(question.title);
  const answered = await other.admin.post(`/v1/interactions/${asked.id}/answers`, { values: { choice: 'yes' } });
  expect(answered.status).toBe(200);
  await expect.poll(() => proxy.cuts, { timeout: 30_000 }).toBeGreaterThan(2);
  proxy.cutAt = undefined;
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'answered', version: 2 } });
});
