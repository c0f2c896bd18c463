/** Two nodes that need the same lock at the same time: each gets it in turn, without a deadlock. */
import type { Client } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { commitAll } from '../contract/opened-store.ts';
import {
  at,
  deliveryOf,
  eventOf,
  grantOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  newInteraction,
  newThread,
  orgId,
} from '../contract/records.fixture.ts';
import { encodeChange } from '../sql/encode-change.ts';
import type { Change, Store } from '../store.ts';
import { lockNames } from './change-locks.ts';

const stores = storesOfATest();

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const say = (threadId: string): Change => ({ orgId, log: { threadId, events: [eventOf('message.created')] } });

/** Resolves when so many sessions of stores wait for a lock. */
async function untilWaiting(session: Client, count: number): Promise<void> {
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'holdpoint' AND wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect((await session.query(waiting)).rows).toHaveLength(count), 10_000);
}

/** Holds the lock that a change needs and no other does, until it is let go. */
async function hold(session: Client, change: Change): Promise<() => Promise<unknown>> {
  const key = lockNames(encodeChange(change));
  expect(key).toHaveLength(1);
  await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', key);
  return () => session.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', key);
}

/** Sessions count what they met when they end. */
async function expectNoRing(session: Client, opened: Store[]): Promise<void> {
  await Promise.all(opened.map((store) => store.close()));
  const left = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'holdpoint'`;
  await vi.waitFor(async () => expect((await session.query(left)).rows).toEqual([]), 20_000);
  const met = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
  expect((await session.query(met)).rows).toEqual([{ deadlocks: 0 }]);
}

describe.each(['read committed', 'repeatable read', 'serializable'])('on a database that is %s', (isolation) => {
  async function open(count: number): Promise<{ session: Client; nodes: Store[] }> {
    const session = await stores.session();
    await session.query(`ALTER DATABASE ${stores.name} SET default_transaction_isolation = '${isolation}'`);
    return { session, nodes: await Promise.all(times(count, () => stores.open({ lockMs: 60_000 }))) };
  }

  test('[N1][L2] five that wait for one thread write to it one after the other', async () => {
    const { session, nodes } = await open(5);
    await commitAll(nodes[0] as Store, newThread('t1'));
    for (let round = 0; round < 3; round++) {
      const letGo = await hold(session, say('t1'));
      const committing = Promise.all(nodes.map((store) => commitAll(store, say('t1'))));
      await untilWaiting(session, 5);
      await letGo();
      const seqs = (await committing).flat().map(({ seq }) => seq);
      expect(seqs.toSorted((a, b) => a - b)).toEqual(times(5, (n) => 2 + round * 5 + n));
    }
    await expectNoRing(session, nodes);
  });

  test('[N1][AN4] five that end one grant or take the same secrets: one does, and the others learn of it', async () => {
    const { session, nodes } = await open(5);
    const grant = grantOf(idOf(1));
    const secrets = { interactionId: idOf(1) };
    const prepared: Change = { orgId, newGrant: grant, newSecrets: { ...secrets, values: { pin: 1 } } };
    await commitAll(nodes[0] as Store, prepared);
    const ends: Change[] = [
      { orgId, closedGrant: { ...grant, revokedAt: at } },
      { orgId, takenSecrets: secrets },
    ];
    for (const change of ends) {
      const letGo = await hold(session, change);
      const committing = Promise.all(nodes.map((store) => store.commit(change)));
      await untilWaiting(session, 5);
      await letGo();
      const committed = await committing;
      expect(committed.filter(({ ok }) => ok)).toHaveLength(1);
      expect(committed.filter(({ ok }) => !ok)).toEqual(times(4, () => ({ ok: false, reason: 'conflict' })));
    }
    await expectNoRing(session, nodes);
  });

  test('[N1][AN4] five that change one document, each in a thread of its own: one does, and the others learn of it', async () => {
    const { session, nodes } = await open(5);
    const [first] = nodes as [Store];
    await commitAll(first, ...times(5, (n) => newThread(`t${n}`)));
    const reader = { type: 'reader', id: 'r' } as const;
    for (let round = 0; round < 3; round++) {
      const before = await first.getDocument({ orgId, ...reader });
      const set = (n: number): Change => ({
        orgId,
        documents: [{ ...reader, record: { cursor: `${round} ${n}` }, expected: before?.revision ?? null }],
      });
      const letGo = await hold(session, set(0));
      const committing = Promise.all(nodes.map((store, n) => store.commit({ ...say(`t${n}`), ...set(n) })));
      await untilWaiting(session, 5);
      await letGo();
      const committed = await committing;
      const won = committed.findIndex(({ ok }) => ok);
      expect(committed.toSpliced(won, 1)).toEqual(times(4, () => ({ ok: false, reason: 'conflict' })));
      expect(await first.getDocument({ orgId, ...reader })).toMatchObject({ record: { cursor: `${round} ${won}` } });
    }
    await expectNoRing(session, nodes);
  });

  const set = (n: number, round: number): Record<string, Omit<Change, 'orgId'>> => ({
    timers: { timers: [{ kind: 'stream', id: `${n}`, dueAt: round % 2 && n % 2 ? null : round }] },
    deliveries: { changedDeliveries: [{ record: deliveryOf(idOf(n)), from: 'pending' }] },
    documents: { documents: [{ type: 'reader', id: `${round} ${n}`, record: { cursor: '' }, expected: null }] },
  });

  test.each(['timers', 'deliveries', 'documents'])(
    '[N1] batches over the same %s in opposite order do not wait in a ring, nor do claims meanwhile',
    async (what) => {
      const { session, nodes } = await open(2);
      const [one, two] = nodes as [Store, Store];
      const all = times(200, (n) => n);
      const newDeliveries = all.map((n) => deliveryOf(idOf(n)));
      await commitAll(one, newThread('a'), newThread('b'), { orgId, newDeliveries });
      const claim = async (store: Store) => {
        const claims = await store.claimDue({ kind: 'stream', now: 99, limit: 50, forMs: 1 });
        await store.moveClaims({ claims: claims.toReversed(), until: 2 });
      };
      for (let round = 0; round < 10; round++) {
        const committed = await Promise.all([
          ...all.map((n) => one.commit({ ...say('a'), ...set(n, round)[what] })),
          ...all.toReversed().map((n) => two.commit({ ...say('b'), ...set(n, round)[what] })),
          ...times(5, () => [claim(one), claim(two)]).flat(),
        ]);
        expect(committed.filter((each) => each?.ok)).toHaveLength(what === 'documents' ? 200 : 400);
      }
      await expectNoRing(session, nodes);
    },
  );

  test('[N1] two batches over the same hundred threads in opposite order do not wait in a ring', async () => {
    const { session, nodes } = await open(2);
    const [one, two] = nodes as [Store, Store];
    const threads = times(100, (n) => `t${n}`);
    await Promise.all(threads.map((id) => one.commit(newThread(id))));
    for (let round = 0; round < 5; round++) {
      const letGo = await hold(session, say(`t${round}`));
      const committing = [
        ...threads.map((id) => commitAll(one, say(id))),
        ...threads.toReversed().map((id) => commitAll(two, say(id))),
      ];
      await untilWaiting(session, 2);
      await letGo();
      await Promise.all(committing);
    }
    await expectNoRing(session, nodes);
  });

  test('[N1][I1] two batches with the same hundred keys in opposite order do not wait in a ring', async () => {
    const { session, nodes } = await open(2);
    const [one, two] = nodes as [Store, Store];
    await commitAll(one, newThread('a'), newThread('b'));
    const idempotencyRecords = (threadId: string, key: string, n: number): Change => ({
      ...newInteraction(interactionOf(idOf(n), threadId)),
      idempotency: idempotencyRecordOf(key, idOf(n)),
    });
    for (let round = 0; round < 5; round++) {
      const keys = times(100, (n) => `key ${round} ${n}`);
      const other = await stores.session();
      await other.query('BEGIN');
      await other.query(`INSERT INTO idempotency VALUES ($1, $2, '', '', '')`, [orgId, keys[50]]);
      const first = round * 1_000;
      const committing = Promise.all([
        ...keys.map((key, n) => one.commit(idempotencyRecords('a', key, first + n))),
        ...keys.toReversed().map((key, n) => two.commit(idempotencyRecords('b', key, first + 500 + n))),
      ]);
      await untilWaiting(session, 2);
      await other.query('ROLLBACK');
      const committed = await committing;
      expect(committed.filter(({ ok }) => ok)).toHaveLength(100);
      expect(committed.filter((each) => !each.ok && each.reason === 'repeated')).toHaveLength(100);
    }
    await expectNoRing(session, nodes);
  });
});
