/** Deadlines of three nodes on one database: whichever takes one on fires it, and the others leave it alone. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts';
import { listInteractions, readLog } from '../../read-everything.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { newDatabasePlace } from '../database-place.ts';

const hour = 3_600_000;
const count = 450;

/** Three nodes, and questions that are due in an hour by their clocks. */
async function startNodes(): Promise<{ nodes: TestServer[]; url: string; ids: string[] }> {
  const place = await newDatabasePlace();
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startTestServer({ place })));
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await place[Symbol.asyncDispose]();
  });
  const [{ admin }] = nodes as [TestServer];
  await admin.post('/v1/threads', { id: 'one' });
  const deadline = { at: new Date(Date.now() + hour).toISOString(), outcome: 'decline' };
  const asking = Array.from({ length: count }, () =>
    admin.post<Interaction>('/v1/threads/one/interactions', { title: 'Deploy?', options: ['yes', 'no'], deadline }),
  );
  const ids = (await Promise.all(asking)).map(({ body }) => body.id);
  return { nodes, url: `${place.config.databaseUrl}`, ids };
}

function passTime(nodes: readonly TestServer[], ms: number): void {
  for (const { clock } of nodes) clock.offsetMs += ms;
}

async function expectFiredOnce([node]: readonly TestServer[], ids: readonly string[]): Promise<void> {
  const { admin } = node as TestServer;
  await expect.poll(() => listInteractions(admin, 'status=pending'), { timeout: 50_000 }).toEqual([]);
  const declined = (await readLog(admin, 'one')).filter(({ type }) => type === 'interaction.declined');
  expect(declined.map(({ interactionId }) => interactionId).sort()).toEqual(ids.toSorted());
  for (const { version, answer } of await listInteractions(admin))
    expect({ version, automatic: answer?.automatic }).toEqual({ version: 2, automatic: 'deadline' });
}

test('[N3][D4] hundreds that come due at once under three nodes fire once each, and the waiters of every node return', async () => {
  const { nodes, ids } = await startNodes();
  const waiting = nodes.flatMap(({ admin }) =>
    ids.slice(0, 20).map((id) => admin.get<Interaction>(`/v1/interactions/${id}/wait?timeoutMs=60000`)),
  );
  passTime(nodes, hour);
  for (const { body } of await Promise.all(waiting)) expect(body.answer?.automatic).toBe('deadline');
  await expectFiredOnce(nodes, ids);
});

test('[N3] those that a dead node has taken on are left alone for the time of its claim, then fired by others', async () => {
  const { nodes, url, ids } = await startNodes();
  const dead = await openPostgresStore({ url });
  const claimMs = 30_000;
  const taken = await dead.claimDue({ kind: 'interaction', now: Date.now() + hour, limit: count, forMs: claimMs });
  await dead.close();
  expect(taken.map(({ id }) => id).sort()).toEqual(ids.toSorted());

  const [{ admin }] = nodes as [TestServer];
  // A deadline that comes after theirs is fired at once: the nodes look, and pass those that are taken by.
  const deadline = { at: new Date(Date.now() + hour - 1).toISOString(), outcome: 'decline' };
  const asked = await admin.post<Interaction>('/v1/threads/one/interactions', { title: 'And this?', deadline });
  passTime(nodes, hour);
  const { body } = await admin.get<Interaction>(`/v1/interactions/${asked.body.id}/wait?timeoutMs=60000`);
  expect(body.answer?.automatic).toBe('deadline');
  expect(await listInteractions(admin, 'status=pending')).toHaveLength(count);
  passTime(nodes, claimMs);
  await expectFiredOnce(nodes, [...ids, body.id]);
});
