/** A database that accepts data and never responds: callers get an error in time, and the node recovers. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, type TestContext, test, vi } from 'vitest';
import { listInteractions, readLog } from '../../read-everything.ts';
import { spawnServer } from '../../spawned-server.ts';
import { newDatabase } from '../new-database.ts';
import { expectAway } from './expect-away.ts';
import { endThread, followLog } from './follow-log.ts';
import { parkWaiter } from './park-waiter.ts';
import { startProxy } from './proxy.ts';

const question = { title: 'Go on?', options: ['yes', 'no'] };
const patience = { timeout: 60_000 };

/** A node that reaches its database by a proxy, with a thread and a question in it. */
async function startBehindProxy({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const database = await newDatabase();
  onTestFinished(() => database.drop());
  const proxy = await startProxy(database.url);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const place = { flags: ['--database-url', proxy.url] };
  const node = await spawnServer({ place, args: ['--log-level', 'silent'] });
  onTestFinished(() => void node.kill('SIGKILL'));
  const { admin } = node;
  expect((await admin.post('/v1/threads', { id: 'one' })).status).toBe(201);
  const ask = (key: string) =>
    admin.post<Interaction>('/v1/threads/one/interactions', question, { 'idempotency-key': key });
  const { body: asked } = await ask('before');
  return { proxy, node, admin, ask, asked };
}

// Nothing but time passes while the database is silent.
test.concurrent.for(['hold', 'swallow'] as const)(
  '[N4][I1][W1][L4] calls to a database that hangs (%s) are refused in time, and succeed again when it responds',
  { timeout: 120_000 },
  async (how, context) => {
    const { proxy, node, admin, ask, asked } = await startBehindProxy(context);
    const path = `/v1/interactions/${asked.id}`;
    const { waiting } = await parkWaiter(admin, asked.id);
    const following = followLog(() => admin);
    following.catch(() => {});

    proxy[how]();
    // All at once: together they wait as long as one.
    const answer = () => admin.post(`${path}/answers`, { values: { choice: 'yes' } }, { 'idempotency-key': 'answer' });
    const calls = [ask('meanwhile'), answer(), admin.get(path), admin.get('/readyz'), admin.get('/v1/threads')];
    expect((await admin.get('/healthz')).status).toBe(200);
    for (const reply of await Promise.all(calls)) expectAway(reply);

    proxy.pass();
    await vi.waitFor(async () => expect((await admin.get('/readyz')).status).toBe(200), patience);
    // A connection that was not used meanwhile takes its time to be found dead.
    await vi.waitFor(async () => expect((await ask('meanwhile')).status).toBe(201), patience);
    await vi.waitFor(async () => expect((await answer()).status).toBe(200), patience);
    expect((await waiting).body).toMatchObject({ status: 'answered', version: 2 });
    expect(await listInteractions(admin)).toHaveLength(2);
    const log = await readLog(admin, 'one');
    expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    await vi.waitFor(
      async () => expect((await admin.post('/v1/threads', { id: endThread })).status).toBe(201),
      patience,
    );
    expect((await following).events).toEqual(log);
    expect(node.process.exitCode).toBeNull();
  },
);

test.concurrent('[N4][H7] a node whose database hangs stops in time', async (context) => {
  const { proxy, node, ask } = await startBehindProxy(context);
  proxy.hold();
  const call = ask('meanwhile').catch(() => {});
  const since = performance.now();
  expect(await node.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  // The time limit for an answer of the database is longer.
  expect(performance.now() - since).toBeLessThan(12_000);
  await call;
});
