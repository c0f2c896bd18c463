/** A database that accepts no writes, as a standby or with a full disk: reads work, and writes when it accepts them again. */
import type { Interaction } from '@holdpoint/protocol';
import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { readLog } from '../../read-everything.ts';
import { serversOfATest } from '../../servers-of-a-test.ts';
import { expectAway } from './expect-away.ts';
import { parkWaiter } from './park-waiter.ts';
import { readsGoOn } from './reads-go-on.ts';
import { sessionOfATest } from './session-of-a-test.ts';

const servers = serversOfATest();
const question = { title: 'Go on?', options: ['yes', 'no'] };

/** For later sessions. */
const setReadOnly = (session: Client, value: 'on' | 'off') =>
  session.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}',
    current_database()); END $$`);

/** Waits for each to be over. */
const cutOff = (session: Client) =>
  session.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'holdpoint'`);

test.each([
  ['its sessions are cut', true],
  ['its sessions stay open', false],
])(
  '[N4][S3][W1] a database that is read-only for a while: writes get 503 and reads work, then both work, if %s',
  async (_how, isCut) => {
    const { admin } = await servers.start({ args: ['--log-level', 'silent'] });
    await admin.post('/v1/threads', { id: 'one' });
    const ask = (key: string) =>
      admin.post<Interaction>('/v1/threads/one/interactions', question, { 'idempotency-key': key });
    const { body: asked } = await ask('before');
    const path = `/v1/interactions/${asked.id}`;
    const answer = () => admin.post(`${path}/answers`, { values: { choice: 'yes' } }, { 'idempotency-key': 'answer' });
    const { waiting } = await parkWaiter(admin, asked.id);
    const log = await readLog(admin, 'one');

    const session = await sessionOfATest(`${servers.place.config.databaseUrl}`);
    await setReadOnly(session, 'on');
    await cutOff(session);
    await readsGoOn(admin);
    for (let times = 0; times < 4; times++) {
      expectAway(await ask('meanwhile'));
      expectAway(await answer());
      expect((await admin.get(path)).body).toEqual(asked);
      expect(await readLog(admin, 'one')).toEqual(log);
      expectAway(await admin.get('/readyz'));
      expect((await admin.get('/healthz')).status).toBe(200);
    }

    await setReadOnly(session, 'off');
    if (isCut) await cutOff(session);
    await expect.poll(async () => (await admin.get('/readyz')).status, { timeout: 30_000 }).toBe(200);
    await expect.poll(async () => (await ask('meanwhile')).status, { timeout: 30_000 }).toBe(201);
    await expect.poll(async () => (await answer()).status, { timeout: 30_000 }).toBe(200);
    expect((await waiting).body).toMatchObject({ status: 'answered', version: 2 });
    expect((await readLog(admin, 'one')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  },
);
