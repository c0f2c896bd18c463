/** Nodes notify each other of commits. The timers of this file do not run, so that no poll finds the commits. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { ephemeralEventOf } from '../contract/ephemeral.contract.ts';
import { commitAll, readEvents } from '../contract/opened-store.ts';
import { eventOf, newThread, orgId } from '../contract/records.fixture.ts';
import type { Change, EventHead, Store } from '../store.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const stores = storesOfATest();

/** More than any of the store's timers waits. */
const passTime = () => vi.advanceTimersByTime(10_000);

const say: Change = { orgId, log: { threadId: 't1', events: [eventOf('message.created')] } };

/** Collects the heads that the store passes to its listener, and waits for a given one. */
function listen(store: Store) {
  const seen: EventHead[] = [];
  let onPublished = () => {};
  store.onCommitted((heads) => {
    seen.push(...heads);
    onPublished();
  });
  const until = (cursor: string | undefined) =>
    new Promise<void>((resolve) => {
      onPublished = () => {
        if (seen.at(-1)?.cursor === cursor) resolve();
      };
      onPublished();
    });
  return { seen, until };
}

/** The sessions with which stores listen, found by their last query. */
const listeners = `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'holdpoint'
  AND state = 'idle' AND query IN ('SELECT 1', 'NOTIFY holdpoint_log')`;

async function allListen(session: Client, count: number): Promise<void> {
  while ((await session.query(listeners, [stores.name])).rows.length !== count) await sleep(10);
}

/** Two stores. The second is notified of every commit of the first as soon as both listen. */
async function begin() {
  const session = await stores.session(new URL('/postgres', stores.url).href);
  const [one, two] = [await stores.open(), await stores.open()];
  await allListen(session, 2);
  const { seen, until } = listen(two);
  const heads = await commitAll(one, newThread('t1'));
  await until(heads[0]?.cursor);
  async function publishByNotification(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      heads.push(...(await commitAll(one, say)));
      await until(heads.at(-1)?.cursor);
    }
  }
  return { session, one, two, heads, seen, until, publishByNotification };
}

test('[N2] the listeners of another node get the events of a commit by a notification', async () => {
  const { heads, seen, publishByNotification } = await begin();
  await publishByNotification(20);
  expect(seen).toEqual(heads);
});

test('[N2] if notifications are lost, a node polls, and listens again as soon as it can', async () => {
  const { session, one, two, heads, seen, until, publishByNotification } = await begin();
  // Connections are made when they are first used, each in its turn.
  const list = () => two.listThreads({ orgId, limit: 1 });
  await Promise.all([two.checkReady(), two.checkReady(), list(), list()]);
  await session.query(`ALTER DATABASE ${stores.name} ALLOW_CONNECTIONS false`);
  const cut = await session.query(`SELECT pg_terminate_backend(pid, 5000) FROM (${listeners}) AS l`, [stores.name]);
  expect(cut.rows).toHaveLength(2);

  heads.push(...(await commitAll(one, say, say)));
  expect(await readEvents(two, { orgId, after: heads[0]?.cursor ?? '', limit: 10 })).toHaveLength(2);
  expect(seen).toEqual(heads.slice(0, 1));
  passTime();
  await until(heads.at(-1)?.cursor);
  expect((await session.query(listeners, [stores.name])).rows).toEqual([]);

  await session.query(`ALTER DATABASE ${stores.name} ALLOW_CONNECTIONS true`);
  while ((await session.query(listeners, [stores.name])).rows.length !== 2) {
    passTime();
    await sleep(10);
  }
  await publishByNotification(20);
  expect(seen).toEqual(heads);
});

test('[N2] a notification that is lost just before a commit costs a delay, not the event', async () => {
  const { session, one, heads, seen, until } = await begin();
  for (let times = 0; times < 5; times++) {
    await session.query(`SELECT pg_terminate_backend(pid, 5000) FROM (${listeners}) AS l`, [stores.name]);
    heads.push(...(await commitAll(one, say)));
    passTime();
    await until(heads.at(-1)?.cursor);
  }
  expect(seen).toEqual(heads);
});

test('[N2] commits without events are notified too, and found by polling if the notification is lost', async () => {
  const { session, one, two } = await begin();
  const timer = (dueAt: number): Change => ({ orgId, timers: [{ kind: 'stream', id: 't1', dueAt }] });
  let onPublished = () => {};
  two.onWritten(() => onPublished());
  const nextWrite = () =>
    new Promise<void>((resolve) => {
      onPublished = resolve;
    });
  for (let n = 0; n < 20; n++) {
    const written = nextWrite();
    await commitAll(one, timer(n));
    await written;
    expect(await two.nextDueAt({ kind: 'stream' })).toBe(n);
  }

  await session.query(`ALTER DATABASE ${stores.name} ALLOW_CONNECTIONS false`);
  await session.query(`SELECT pg_terminate_backend(pid, 5000) FROM (${listeners}) AS l`, [stores.name]);
  const written = nextWrite();
  await commitAll(one, timer(99));
  passTime();
  await written;
  await session.query(`ALTER DATABASE ${stores.name} ALLOW_CONNECTIONS true`);
});

test('[N2] a thousand commits at once notify a few times, from a connection of their own', async () => {
  const { one, heads, seen, until } = await begin();
  const session = await stores.session();
  const notifiers: number[] = [];
  const ended = new Promise<void>((resolve) => {
    session.on('notification', ({ payload, processId }) => {
      if (payload === 'the end') resolve();
      else notifiers.push(processId);
    });
  });
  await session.query('LISTEN holdpoint_log');
  const commits = await Promise.all(Array.from({ length: 1_000 }, () => commitAll(one, say)));
  heads.push(...commits.flat().sort((a, b) => a.seq - b.seq));
  await until(heads.at(-1)?.cursor);
  expect(seen).toEqual(heads);
  // Closing sends what is still to be sent, and notifications arrive in the order in which they were sent.
  await one.close();
  await session.query(`NOTIFY holdpoint_log, 'the end'`);
  await ended;
  expect(notifiers.length).toBeGreaterThan(0);
  expect(notifiers.length).toBeLessThan(100);
  expect(new Set(notifiers).size).toBe(1);
});

test('[N7] every node gets the published events of one node, in order, by notifications alone', async () => {
  const { session, one, two } = await begin();
  const heard = [one, two].map((store) => {
    const received: unknown[] = [];
    store.onPublished(({ data }) => received.push('text' in data && data.text));
    return received;
  });
  const texts = Array.from({ length: 500 }, (_, n) => (n % 3 ? 'ha' : `${n}`));
  for (const text of texts) one.publish(ephemeralEventOf(text));
  // Other payloads on this channel are ignored.
  await session.query(`SELECT pg_notify('holdpoint_ephemeral', 'null'), pg_notify('holdpoint_ephemeral', '{')`);
  while (heard.some(({ length }) => length < texts.length)) await sleep(10);
  expect(heard).toEqual([texts, texts]);
});

test('[N7] an event that is published while no node listens is lost, and nothing else with it', async () => {
  const { session, one, two, publishByNotification } = await begin();
  const heard: unknown[] = [];
  two.onPublished(({ data }) => heard.push('text' in data && data.text));
  await session.query(`SELECT pg_terminate_backend(pid, 5000) FROM (${listeners}) AS l`, [stores.name]);
  one.publish(ephemeralEventOf('lost or not'));
  passTime();
  await publishByNotification(1);
  while (!heard.includes('heard')) {
    one.publish(ephemeralEventOf('heard'));
    passTime();
    await sleep(10);
  }
});
