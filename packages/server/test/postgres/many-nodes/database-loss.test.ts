/** A database that goes and comes back: calls are refused at once, waits continue, and no node is restarted. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Interaction } from '@holdpoint/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventReader } from '../../http/events/event-reader.ts';
import { listInteractions, readLog } from '../../read-everything.ts';
import { type SpawnedServer, spawnServer } from '../../spawned-server.ts';
import { type Postgres, startPostgres } from '../start-postgres.ts';
import { expectAway } from './expect-away.ts';
import { endThread, followLog } from './follow-log.ts';
import { parkWaiter } from './park-waiter.ts';

let postgres: Postgres;
let nodes: SpawnedServer[];

beforeEach(async () => {
  postgres = await startPostgres({ fsync: false });
  const start = () =>
    spawnServer({ place: { flags: ['--database-url', postgres.url] }, args: ['--log-level', 'silent'] });
  nodes = await Promise.all([start(), start()]);
});

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')));
  await postgres.discard();
});

const question = { title: 'Go on?', options: ['yes', 'no'] };

test.each(['stop', 'kill'] as const)(
  '[N4][S1][I1][W1][L4][D4] a database that is gone (%s) and back: refusals meanwhile, and everything recovers by itself',
  async (end) => {
    const [one, two] = nodes.map(({ admin }) => admin) as [SpawnedServer['admin'], SpawnedServer['admin']];
    await one.post('/v1/threads', { id: 'one' });
    const ask = (node = one, key = 'ask') =>
      node.post<Interaction>('/v1/threads/one/interactions', question, { 'idempotency-key': key });
    const { body: asked } = await ask(one, 'asked-before');
    const at = new Date(Date.now() + 2_000).toISOString();
    const deadline = { at, outcome: 'expire' };
    const due = await one.post<Interaction>('/v1/threads/one/interactions', { ...question, deadline });
    expect(due.status).toBe(201);
    const parked = await Promise.all([one, two].map((node) => parkWaiter(node, asked.id)));
    const before = (await readLog(one, 'one')).at(-1);
    const following = Promise.all([one, two].map((node) => followLog(() => node)));

    await postgres[end]();
    const path = `/v1/interactions/${asked.id}`;
    const answer = (node: SpawnedServer['admin']) =>
      node.post(`${path}/answers`, { values: { choice: 'yes' } }, { 'idempotency-key': 'answer' });
    for (const node of [one, two]) {
      expectAway(await ask(node));
      expectAway(await answer(node));
      expectAway(await node.get(path));
      expectAway(await node.get(`${path}/wait?timeoutMs=60000`));
      expectAway(await node.get('/v1/threads/one/log'));
      await expect(EventReader.open(node)).rejects.toThrow('→ 503');
      await expect(EventReader.open(node, `/v1/events?after=${before?.cursor}`)).rejects.toThrow('→ 503');
      expect((await node.get('/readyz')).status).toBe(503);
      expect((await node.get('/healthz')).status).toBe(200);
    }
    await pause(Math.max(0, Date.parse(at) - Date.now()));

    await postgres.start();
    const isReady = () => Promise.all([one, two].map(async (node) => (await node.get('/readyz')).status));
    await expect.poll(isReady, { timeout: 30_000 }).toEqual([200, 200]);
    // A connection that was idle meanwhile notices the loss with its next query.
    await expect.poll(async () => (await ask(two)).status, { timeout: 30_000 }).toBe(201);
    await expect.poll(async () => (await answer(two)).status, { timeout: 30_000 }).toBe(200);
    const answered = await one.get<Interaction>(path);
    expect(answered.body).toMatchObject({ status: 'answered', version: 2 });
    for (const { waiting } of parked) expect(await waiting).toMatchObject({ status: 200, body: answered.body });
    const waited = await one.get<Interaction>(`/v1/interactions/${due.body.id}/wait?timeoutMs=60000`);
    expect(waited.body).toMatchObject({ status: 'expired', version: 2 });

    expect((await ask(one)).body).toEqual((await ask(two)).body);
    expect(await listInteractions(one)).toHaveLength(3);
    const log = await readLog(one, 'one');
    expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    await two.post('/v1/threads', { id: endThread });
    for (const { events } of await following) expect(events).toEqual(log);
    for (const { process } of nodes) expect(process.exitCode).toBeNull();
  },
);

test('[N4] a stream from the start is refused while the database is unavailable, as any other', async () => {
  const [{ admin }] = nodes as [SpawnedServer];
  await postgres.stop();
  await expect(EventReader.open(admin, '/v1/events?after=start')).rejects.toThrow('→ 503');
});
