/** Lost connections: the store replaces them by itself, and only calls under way notice. */
import { expect, test, vi } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { commitAll } from '../contract/opened-store.ts';
import { eventOf, newThread, orgId } from '../contract/records.fixture.ts';
import type { EventHead } from '../store.ts';
import { Connection } from './connection.ts';

const stores = storesOfATest();

const cutOff = `SELECT pid, pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'holdpoint'`;

test('[S3] the next query replaces a lost connection', async () => {
  const [connection, other] = [new Connection({ url: stores.url }), await stores.session()];
  const ask = () => connection.query({ text: 'SELECT 1 AS one' });
  expect(await ask()).toEqual([{ one: 1 }]);
  for (let times = 0; times < 3; times++) {
    expect((await other.query(cutOff)).rows).toHaveLength(1);
    await vi.waitFor(async () => expect(await ask()).toEqual([{ one: 1 }]), 5_000);
  }
  await connection.close();
});

test('[S3] a connection that could not be made is tried again by the next query', async () => {
  const other = await stores.session(new URL('/postgres', stores.url).href);
  const connection = new Connection({ url: stores.url });
  const ask = () => connection.query({ text: 'SELECT 1 AS one' });
  await other.query(`ALTER DATABASE ${stores.name} ALLOW_CONNECTIONS false`);
  await expect(ask()).rejects.toThrow('not currently accepting connections');
  await other.query(`ALTER DATABASE ${stores.name} ALLOW_CONNECTIONS true`);
  expect(await ask()).toEqual([{ one: 1 }]);
  await connection.close();
});

test('[S3][L3] a store that loses all connections recovers by itself, with reads, writes and listeners', async () => {
  const [store, other] = [await stores.open(), await stores.session()];
  const seen: EventHead[] = [];
  store.onCommitted((heads) => seen.push(...heads));
  const heads = await commitAll(store, newThread('t1'));
  for (let times = 0; times < 3; times++) {
    expect((await other.query(cutOff)).rows.length).toBeGreaterThan(2);
    const say = { orgId, log: { threadId: 't1', events: [eventOf('message.created', undefined, { times })] } };
    await vi.waitFor(async () => heads.push(...(await commitAll(store, say))), 5_000);
    await vi.waitFor(() => store.checkReady(), 5_000);
    await vi.waitFor(() => expect(seen).toEqual(heads), 5_000);
  }
  expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 10 })).items).toHaveLength(4);
  expect(await store.headCursor()).toBe(heads.at(-1)?.cursor);
});
