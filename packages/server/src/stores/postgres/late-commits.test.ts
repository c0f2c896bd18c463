/** Transactions end in another order than they begin; the log is read in one order all the same. */
import { defined, type FreeObject, type LogEvent } from '@holdpoint/protocol';
import type { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase } from '../../../test/postgres/new-database.ts';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { ephemeralEventOf } from '../contract/ephemeral.contract.ts';
import { beginning, commitAll, readEvents } from '../contract/opened-store.ts';
import { at, eventOf, idOf, interactionOf, newInteraction, newThread, orgId } from '../contract/records.fixture.ts';
import type { Change, EventHead, Store } from '../store.ts';
import { lockAll } from './batch-writer.ts';
import { threadLockName } from './change-locks.ts';

const stores = storesOfATest();

const say = (threadId: string, text: string): Change => ({
  orgId,
  log: { threadId, events: [eventOf('message.created', undefined, { text })] },
});

const readAll = (store: Store, threadId?: string): Promise<LogEvent[]> =>
  readEvents(store, { orgId, after: beginning, limit: 1_000, ...defined({ threadId }) });

const cursors = (heads: readonly { cursor: string }[]): string[] => heads.map(({ cursor }) => cursor);

function listen(store: Store): EventHead[] {
  const seen: EventHead[] = [];
  store.onCommitted((heads) => seen.push(...heads));
  return seen;
}

/** Resolves once every store has looked for news in a look that began later than this call. */
async function allHaveLooked(session: Client, count: number): Promise<void> {
  // The second of two looks began after the first had ended.
  for (let look = 0; look < 2; look++) {
    const { rows } = await session.query('SELECT clock_timestamp()::text AS now');
    await vi.waitFor(async () => {
      const looked = await session.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
          AND query LIKE '%position + 0 > $1 AND position + 0 < $2%' AND pid <> pg_backend_pid() AND query_start > $1`,
        [rows[0]?.now],
      );
      expect(looked.rows).toHaveLength(count);
    }, 60_000);
  }
}

const greeting = 'hello';

/**
 * Waits until the stores listen. A store starts to listen soon after it is opened, and misses events published before.
 */
async function untilListening(...opened: Store[]): Promise<void> {
  const listening = new Set<Store>();
  const ends = opened.map((store) => store.onPublished(() => listening.add(store)));
  await vi.waitFor(() => {
    opened[0]?.publish(ephemeralEventOf(greeting));
    expect(listening.size).toBe(opened.length);
  }, 60_000);
  for (const end of ends) end();
}

/** Takes part as a writer does, and keeps its transaction open after it has written an event. */
async function writeLate(threadId: string, seq: number): Promise<Client> {
  const session = await stores.session();
  await session.query('BEGIN');
  await session.query(lockAll.text, [[threadLockName(orgId, threadId)]]);
  await session.query(
    `INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, data) VALUES
      ($1, $2, $3, (pg_current_xact_id()::text::bigint << 16) + 1, 'message.created', $4, $5, '{"text":"late"}')`,
    [orgId, threadId, seq, at, JSON.stringify({ type: 'agent', id: 'agent' })],
  );
  return session;
}

const texts = (events: readonly LogEvent[]): unknown[] =>
  events.filter(({ type }) => type === 'message.created').map(({ data }) => (data as unknown as FreeObject).text);

describe('a transaction that ends late', () => {
  /** Two stores that listen, and a transaction that began before others and is still open when they have committed. */
  async function begin() {
    const [one, two, watcher] = [await stores.open(), await stores.open(), await stores.session()];
    await untilListening(one, two);
    await commitAll(one, newThread('quiet'), newThread('late'));
    const seen = [listen(one), listen(two)];
    const before = await one.headCursor();
    const late = await writeLate('late', 2);
    const later = await commitAll(one, say('quiet', '1'), newThread('new'), say('new', '2'));
    later.push(...(await commitAll(two, say('quiet', '3'))));
    await allHaveLooked(watcher, 2);
    return { one, two, seen, before, late, later };
  }

  test('[L3] delays later events, for readers and listeners of every node', async () => {
    const { one, two, seen, before, late, later } = await begin();
    for (const store of [one, two]) {
      expect(await store.headCursor()).toBe(before);
      expect(texts(await readAll(store))).toEqual([]);
      expect(texts(await readAll(store, 'quiet'))).toEqual([]);
      expect(await readEvents(store, { orgId, after: before, limit: 10 })).toEqual([]);
    }
    expect(seen.flat()).toEqual(seen.flat().filter(({ cursor }) => cursor <= before));
    // The committer has it, and so does a reader of the thread by its numbers.
    expect(later.every(({ cursor }) => cursor > before)).toBe(true);
    expect(texts((await two.readLog({ orgId, threadId: 'quiet', after: 0, limit: 10 })).items)).toEqual(['1', '3']);
    await late.query('ROLLBACK');
  });

  test('[L3][L4] its events reach listeners and readers in their place when it commits, and all others once', async () => {
    const { one, two, seen, before, late, later } = await begin();
    await late.query('COMMIT');
    await vi.waitFor(() => expect(seen.map((heads) => heads.at(-1))).toEqual([later.at(-1), later.at(-1)]), 60_000);
    for (const [index, store] of [one, two].entries()) {
      const events = await readEvents(store, { orgId, after: before, limit: 10 });
      expect(texts(events)).toEqual(['late', '1', '2', '3']);
      expect(cursors(events)).toEqual(cursors(events).toSorted());
      expect(cursors(seen[index]?.filter(({ cursor }) => cursor > before) ?? [])).toEqual(cursors(events));
      expect(await store.headCursor()).toBe(later.at(-1)?.cursor);
    }
  });

  test('[E2] delays events that are published after other commits, until the listeners have those commits', async () => {
    const { one, two, seen, late, later } = await begin();
    const heard: Record<'store' | 'heads', number>[] = [];
    for (const [store, each] of [one, two].entries())
      each.onPublished(({ data }) => {
        if (!('text' in data) || data.text !== greeting) heard.push({ store, heads: seen[store]?.length ?? 0 });
      });
    one.publish(ephemeralEventOf('first'));
    two.publish(ephemeralEventOf('second'));
    await allHaveLooked(await stores.session(), 2);
    expect(heard).toEqual([]);
    await late.query('ROLLBACK');
    await vi.waitFor(() => expect(heard).toHaveLength(4), 60_000);
    expect(heard.toSorted((a, b) => a.store - b.store)).toEqual(
      [0, 0, 1, 1].map((store) => ({ store, heads: seen[store]?.length })),
    );
    expect(seen.map((heads) => heads.at(-1))).toEqual([later.at(-1), later.at(-1)]);
  });

  test('[L3] delays nothing after it was rolled back', async () => {
    const { one, two, seen, before, late, later } = await begin();
    await late.query('ROLLBACK');
    await vi.waitFor(() => expect(seen.map((heads) => heads.at(-1))).toEqual([later.at(-1), later.at(-1)]), 60_000);
    for (const [index, store] of [one, two].entries()) {
      expect(texts(await readEvents(store, { orgId, after: before, limit: 10 }))).toEqual(['1', '2', '3']);
      expect(seen[index]?.filter(({ cursor }) => cursor > before)).toEqual(later);
    }
  });

  test('[L3] delays nothing after its node has died', async () => {
    const { one, seen, before, late, later } = await begin();
    const { rows } = await late.query('SELECT pg_backend_pid() AS pid');
    await (await stores.session()).query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await vi.waitFor(() => expect(seen.map((heads) => heads.at(-1))).toEqual([later.at(-1), later.at(-1)]), 60_000);
    expect(texts(await readEvents(one, { orgId, after: before, limit: 10 }))).toEqual(['1', '2', '3']);
  });

  test('[L3][L4] several that end in the opposite order leave no gap for a continuous reader', async () => {
    const [store, reader] = [await stores.open(), await stores.open()];
    const threads = ['a', 'b', 'c', 'd', 'e'];
    await commitAll(store, ...threads.map((id) => newThread(id)), newThread('quiet'));
    const seen = listen(reader);
    const before = await reader.headCursor();
    const read: LogEvent[] = [];
    const readOn = async () =>
      read.push(...(await readEvents(reader, { orgId, after: read.at(-1)?.cursor ?? before, limit: 100 })));
    const open: Client[] = [];
    for (const thread of threads) {
      open.push(await writeLate(thread, 2));
      await commitAll(store, say('quiet', `after ${thread}`));
      await readOn();
    }
    expect(read).toEqual([]);
    for (const session of open.reverse()) {
      await session.query('COMMIT');
      await readOn();
    }
    await vi.waitFor(async () => expect(await readOn()).toBe(10), 60_000);
    expect(texts(read)).toEqual(threads.flatMap((thread) => ['late', `after ${thread}`]));
    await vi.waitFor(() => expect(cursors(seen.filter(({ cursor }) => cursor > before))).toEqual(cursors(read)));
  });

  /** Has the commits to one thread wait, when all but the commit itself is done, for a lock that a session holds. */
  async function holdCommits(threadId: string): Promise<Client> {
    const session = await stores.session();
    await session.query(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER held AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.thread_id = '${threadId}') EXECUTE FUNCTION hold();
      SELECT pg_advisory_lock(42)`);
    return session;
  }

  const heldBackends = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 42
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

  async function begunByAStore() {
    const [slow, quick, watcher] = [await stores.open({ lockMs: 60_000 }), await stores.open(), await stores.session()];
    await commitAll(quick, newThread('late'), newThread('quiet'));
    const seen = [listen(slow), listen(quick)];
    const before = await quick.headCursor();
    const holder = await holdCommits('late');
    const held = slow.commit(say('late', 'late'));
    await vi.waitFor(async () => expect((await watcher.query(heldBackends)).rows).toHaveLength(1), 60_000);
    const later = await commitAll(quick, say('quiet', '1'), say('quiet', '2'));
    await allHaveLooked(watcher, 2);
    expect(await quick.headCursor()).toBe(before);
    expect(seen.flat().filter(({ cursor }) => cursor > before)).toEqual([]);
    return { slow, quick, watcher, seen, before, holder, held, later };
  }

  test('[L3] of the same store delays events too, until it commits', async () => {
    const { slow, quick, seen, before, holder, held, later } = await begunByAStore();
    await holder.query('SELECT pg_advisory_unlock(42)');
    expect((await held).ok).toBe(true);
    await vi.waitFor(() => expect(seen.map((heads) => heads.at(-1))).toEqual([later.at(-1), later.at(-1)]), 60_000);
    for (const [index, store] of [slow, quick].entries()) {
      const events = await readEvents(store, { orgId, after: before, limit: 10 });
      expect(texts(events)).toEqual(['late', '1', '2']);
      expect(cursors(seen[index]?.filter(({ cursor }) => cursor > before) ?? [])).toEqual(cursors(events));
    }
  });

  test('[L3][S2] of the same store delays events too, until it fails', async () => {
    const { quick, watcher, seen, before, held, later } = await begunByAStore();
    const refused = expect(held).rejects.toMatchObject({ code: 'storage-unavailable' });
    for (const { pid } of (await watcher.query(heldBackends)).rows)
      await watcher.query('SELECT pg_cancel_backend($1)', [pid]);
    await refused;
    await vi.waitFor(() => expect(seen.map((heads) => heads.at(-1))).toEqual([later.at(-1), later.at(-1)]), 60_000);
    expect(texts(await readEvents(quick, { orgId, after: before, limit: 10 }))).toEqual(['1', '2']);
  });
});

describe('a long transaction of another program delays nothing', () => {
  const others: [string, () => Promise<{ url: string; statements: string[] }>][] = [
    [
      'on another table',
      async () => ({
        url: stores.url,
        statements: ['CREATE TABLE theirs (n int)', 'BEGIN', 'INSERT INTO theirs VALUES (1)'],
      }),
    ],
    [
      'that also reads the events',
      async () => ({
        url: stores.url,
        statements: ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT pg_current_xact_id()', 'TABLE events'],
      }),
    ],
    [
      'that changes an event and is left open',
      async () => ({ url: stores.url, statements: ['BEGIN', 'UPDATE events SET type = type'] }),
    ],
    [
      // A copy of the same template: its table has the same number as ours.
      'that writes the events of another database on the server',
      async () => {
        const { url, drop } = await newDatabase();
        onTestFinished(drop);
        const write = `INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, data)
          VALUES ('acme', 't', 1, (pg_current_xact_id()::text::bigint << 16) + 1, 'message.created', '', '', '')`;
        return { url, statements: ['BEGIN', write] };
      },
    ],
  ];
  test.each(others)('[L3] %s', async (_which, begin) => {
    const [one, two] = [await stores.open(), await stores.open()];
    await commitAll(one, newThread('t1'));
    const { url, statements } = await begin();
    const other = await stores.session(url);
    for (const statement of statements) await other.query(statement);
    const seen = [listen(one), listen(two)];
    const heads = await commitAll(one, say('t1', '1'), say('t1', '2'));
    expect(texts(await readAll(two))).toEqual(['1', '2']);
    expect(await two.headCursor()).toBe(heads.at(-1)?.cursor);
    await vi.waitFor(() => expect(seen.map((all) => all.at(-1))).toEqual([heads.at(-1), heads.at(-1)]), 60_000);
    await other.query('ROLLBACK');
  });
});

describe('data that comes from a server which had counted further', () => {
  const raise = `UPDATE events SET position = position + (1000000::bigint << 16)`;

  async function restore(): Promise<{ store: Store; old: LogEvent[] }> {
    const before = await stores.open();
    await commitAll(before, newThread('t1'), newInteraction(interactionOf(idOf(1), 't1')), say('t1', 'old'));
    await before.close();
    await (await stores.session()).query(raise);
    const store = await stores.open();
    return { store, old: await readAll(store) };
  }

  test('[L3][L4] continues with rising cursors, and all of it is read', async () => {
    const { store, old } = await restore();
    expect(texts(old)).toEqual(['old']);
    expect(await store.headCursor()).toBe(old.at(-1)?.cursor);
    const seen = listen(store);
    const heads = await commitAll(store, say('t1', 'new'), newThread('t2'), say('t2', 'newer'));
    expect(texts(await readAll(store))).toEqual(['old', 'new', 'newer']);
    expect(texts(await readAll(store, 't1'))).toEqual(['old', 'new']);
    expect(cursors(await readAll(store))).toEqual([...cursors(old), ...cursors(heads)].toSorted());
    await vi.waitFor(() => expect(seen).toEqual(heads));
    expect(await readEvents(store, { orgId, after: old.at(-1)?.cursor ?? '', limit: 10 })).toHaveLength(3);
  });

  test('[L3] all nodes use the same base, also those that start later', async () => {
    const { store, old } = await restore();
    const heads = await commitAll(store, say('t1', '1'));
    const [two, three] = await Promise.all([stores.open(), stores.open()]);
    const seen = listen(store);
    for (const [n, node] of [two, three, store, two, store, three].entries())
      heads.push(...(await commitAll(node, say('t1', `${n + 2}`))));
    expect(cursors(heads)).toEqual(cursors(heads).toSorted());
    expect(heads[0]?.cursor && heads[0].cursor > (old.at(-1)?.cursor ?? '')).toBe(true);
    for (const node of [store, two, three])
      expect(texts(await readAll(node))).toEqual(['old', '1', '2', '3', '4', '5', '6', '7']);
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(heads.at(-1)), 60_000);
  });

  test('[L3] a transaction that ends late delays events there too', async () => {
    const { store, old } = await restore();
    const { rows } = await (await stores.session()).query(`SELECT value FROM meta WHERE key = 'log-base'`);
    const late = await stores.session();
    await commitAll(store, newThread('late'));
    await late.query('BEGIN');
    await late.query(lockAll.text, [[threadLockName(orgId, 'late')]]);
    await late.query(
      `INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, data) VALUES ($1, 'late', 2,
        ((pg_current_xact_id()::text::bigint + $2::bigint) << 16) + 1, 'message.created', $3, '{}', '{"text":"late"}')`,
      [orgId, rows[0]?.value, at],
    );
    await commitAll(store, say('t1', 'new'));
    expect(await readAll(store)).toHaveLength(old.length + 1);
    await late.query('COMMIT');
    expect(texts(await readAll(store))).toEqual(['old', 'late', 'new']);
  });
});
