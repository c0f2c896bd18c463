/** Another session has locked a question: all other calls work, and /readyz and /metrics report it. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { readLog } from '../../read-everything.ts';
import { serversOfATest } from '../../servers-of-a-test.ts';
import { expectAway } from './expect-away.ts';
import { sessionOfATest } from './session-of-a-test.ts';

const servers = serversOfATest();
const args = ['--log-level', 'silent'];

async function ask(admin: Client, threadId: string): Promise<string> {
  const question = { title: 'Go on?', options: ['yes', 'no'] };
  const { status, body } = await admin.post<Interaction>(`/v1/threads/${threadId}/interactions`, question);
  expect(status).toBe(201);
  return body.id;
}
const answer = (admin: Client, id: string) =>
  admin.post<Interaction>(`/v1/interactions/${id}/answers`, { values: { choice: 'yes' } });
const warning = async (admin: Client) => (await admin.get<{ warning?: string }>('/readyz')).body.warning;

test('[N10][N12][S1] a locked question: others are asked and answered, also across kill -9, and it is after the lock', async () => {
  const first = await servers.start({ args });
  const { admin } = first;
  await admin.post('/v1/threads', { id: 'one' });
  const ids = [await ask(admin, 'one'), await ask(admin, 'one')];
  const [locked = '', free = ''] = ids;
  const session = await sessionOfATest(`${servers.place.config.databaseUrl}`);
  await session.query('BEGIN');
  await session.query('SELECT 1 FROM interactions WHERE id = $1 FOR UPDATE', [locked]);

  const blocked = answer(admin, locked).catch(() => {});
  await expect.poll(() => warning(admin)).toBe('1 write is waiting for a lock that another database session holds.');
  expect(await (await fetch(`${first.url}/metrics`)).text()).toContain('\nholdpoint_blocked_writes 1\n');
  const waiting = admin.get<Interaction>(`/v1/interactions/${free}/wait?timeoutMs=60000`);
  expect((await answer(admin, free)).status).toBe(200);
  expect((await waiting).body.status).toBe('answered');
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask(admin, 'one')));
  await first.kill('SIGKILL');
  await blocked;

  const { admin: again } = await servers.start({ args });
  const statusOf = async (id: string) => (await again.get<Interaction>(`/v1/interactions/${id}`)).body.status;
  expect(await statusOf(free)).toBe('answered');
  for (const id of [locked, ...asked]) expect(await statusOf(id)).toBe('pending');
  const answered = answer(again, locked);
  await expect.poll(() => warning(again)).toBeDefined();
  await session.query('ROLLBACK');
  expect((await answered).body).toMatchObject({ status: 'answered', version: 2 });
  await expect.poll(() => warning(again)).toBeUndefined();
  const log = await readLog(again, 'one');
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_event, n) => n + 1));
  expect(log.filter(({ interactionId }) => interactionId === locked)).toHaveLength(2);
});

test('[N12] while a table is locked, writes fail and /readyz gives the reason. Afterwards both work', async () => {
  const { admin } = await servers.start({ args });
  await admin.post('/v1/threads', { id: 'one' });
  const session = await sessionOfATest(`${servers.place.config.databaseUrl}`);
  await session.query('BEGIN; LOCK TABLE interactions IN SHARE MODE');
  const ready = await admin.get<{ detail: string }>('/readyz');
  expectAway(ready);
  expect(ready.body.detail).toContain('another session of the database has locked a table');
  await session.query('ROLLBACK');
  expect((await admin.get('/readyz')).body).toEqual({ status: 'ready' });
  await ask(admin, 'one');
});
