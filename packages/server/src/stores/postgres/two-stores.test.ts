/** Two nodes at the same things at the same time, whatever isolation the database has for a default. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { beginning, commitAll, readEvents } from '../contract/opened-store.ts';
import {
  apiKeyOf,
  at,
  eventOf,
  grantOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  newInteraction,
  newThread,
  nextThread,
  nextVersion,
  orgId,
  threadOf,
} from '../contract/records.fixture.ts';
import type { Change, Committed, EventHead, Store } from '../store.ts';

const stores = storesOfATest();

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const say = (threadId: string, text: string): Change => ({
  orgId,
  log: { threadId, events: [eventOf('message.created', undefined, { text }), eventOf('message.created')] },
});

describe.each(['read committed', 'repeatable read', 'serializable'])('on a database that is %s', (isolation) => {
  let one: Store;
  let two: Store;
  let seen: EventHead[][];

  beforeEach(async () => {
    const session = await stores.session();
    await session.query(`ALTER DATABASE ${stores.name} SET default_transaction_isolation = '${isolation}'`);
    [one, two] = [await stores.open(), await stores.open()];
    seen = [one, two].map((store) => {
      const heads: EventHead[] = [];
      store.onCommitted((more) => heads.push(...more));
      return heads;
    });
  });

  /** Gives every change to both, the second getting them in the opposite order. */
  async function onBoth(changes: Change[]): Promise<[Committed[], Committed[]]> {
    const reversed = Promise.all(changes.toReversed().map((change) => two.commit(change)));
    const committed = await Promise.all(changes.map((change) => one.commit(change)));
    return [committed, (await reversed).reverse()];
  }

  const winners = (committed: Committed[][]): number => committed.flat().filter(({ ok }) => ok).length;

  /** Every thread is numbered without a gap, both publish every event once and in log order, and there was no deadlock. */
  async function expectSound(): Promise<void> {
    const log = await readEvents(one, { orgId, after: beginning, limit: 100_000 });
    for (const events of Map.groupBy(log, ({ threadId }) => threadId).values())
      expect(events.map(({ seq }) => seq)).toEqual(times(events.length, (n) => n + 1));
    const cursors = log.map(({ cursor }) => cursor);
    expect(cursors).toEqual([...new Set(cursors)].toSorted());
    const heads = () => seen.map((each) => each.map(({ cursor, threadId, seq }) => `${cursor} ${threadId} ${seq}`));
    const all = log.map(({ cursor, threadId, seq }) => `${cursor} ${threadId} ${seq}`);
    await vi.waitFor(() => expect(heads().map(({ length }) => length)).toEqual([all.length, all.length]), 20_000);
    expect(heads()).toEqual([all, all]);
    // Sessions count what they met when they end.
    await Promise.all([one.close(), two.close()]);
    const session = await stores.session(new URL('/postgres', stores.url).href);
    const left = 'SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = $2';
    const isOver = async () => expect((await session.query(left, [stores.name, 'holdpoint'])).rows).toEqual([]);
    await vi.waitFor(isOver, 20_000);
    const met = await session.query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = $1', [stores.name]);
    expect(met.rows).toEqual([{ deadlocks: 0 }]);
  }

  test('[N1][N2][L2] many changes over the same few threads leave no gap, and both tell all of them in one order', async () => {
    const threads = times(7, (n) => `t${n}`);
    await commitAll(one, ...threads.map((id) => newThread(id)));
    const changes = times(700, (n) => say(threads[n % 7] ?? '', `${n}`));
    changes.push(...times(100, (n) => newInteraction(interactionOf(idOf(n), threads[n % 7] ?? ''))));
    // The interactions are asked by one of the two; what only writes to the log is done by both.
    const committed = await onBoth(changes);
    expect(winners(committed)).toBe(1_500);
    for (const { ok } of committed[0].slice(0, 700)) expect(ok).toBe(true);
    for (const n of [0, 99]) {
      const found = await Promise.all([one, two].map((store) => store.getInteraction({ orgId, id: idOf(n) })));
      expect(found).toEqual(times(2, () => interactionOf(idOf(n), threads[n % 7] ?? '')));
    }
    await expectSound();
    expect(seen[0]).toHaveLength(7 + 2 * 700 * 2 + 100);
  });

  test('[N1] one node sees at once the changes that the other has acknowledged', async () => {
    await commitAll(one, newThread('t1'));
    let before = interactionOf(idOf(1), 't1');
    await commitAll(two, newInteraction(before));
    for (let version = 1; version < 50; version++) {
      const [writer, reader] = version % 2 ? [one, two] : [two, one];
      const change = nextVersion(before, { title: `by ${version}` });
      const [head] = await commitAll(writer, change);
      before = (await reader.getInteraction({ orgId, id: before.id })) ?? before;
      expect(before).toEqual(change.interaction?.record);
      expect(await reader.headCursor()).toBe(head?.cursor);
    }
    await expectSound();
  });

  test('[N1][I1] the same keys in different threads and in opposite order are each used once', async () => {
    await commitAll(one, newThread('a'), newThread('b'), newThread('c'), newThread('d'));
    const keys = times(400, (n) => n);
    const [first, second] = [keys, keys].map((all, which) =>
      all.map((n): Change => {
        const id = idOf(which * 1_000 + n);
        const thread = (n % 2 ? ['a', 'b'] : ['c', 'd'])[which] ?? '';
        return { ...newInteraction(interactionOf(id, thread)), idempotency: idempotencyRecordOf(`key ${n}`, id) };
      }),
    ) as [Change[], Change[]];
    const [ones, twos] = await Promise.all([
      Promise.all(first.map((change) => one.commit(change))),
      Promise.all(second.toReversed().map((change) => two.commit(change))).then((all) => all.reverse()),
    ]);
    for (const n of keys) {
      const pair = [ones[n], twos[n]];
      const winner = pair.findIndex((committed) => committed?.ok);
      const earlier = idempotencyRecordOf(`key ${n}`, idOf(winner * 1_000 + n));
      expect(pair[1 - winner]).toEqual({ ok: false, reason: 'repeated', earlier });
      expect(await two.findIdempotency({ orgId, key: `key ${n}` })).toEqual(earlier);
    }
    await expectSound();
    expect(seen[0]).toHaveLength(4 + 400);
  });

  test('[N1][AN4] of 50 answers to one interaction over both exactly one wins', async () => {
    const asked = times(20, (n) => interactionOf(idOf(n), `t${n % 3}`));
    await commitAll(one, ...times(3, (n) => newThread(`t${n}`)), ...asked.map((record) => newInteraction(record)));
    for (const record of asked) {
      const answers = times(25, (n) => nextVersion(record, { status: 'answered', title: `by ${n}` }));
      const committed = await onBoth(answers);
      expect(winners(committed)).toBe(1);
      const lost = committed.flat().filter(({ ok }) => !ok);
      expect(lost).toEqual(times(49, () => ({ ok: false, reason: 'conflict' })));
      const won = committed.map((all) => all.findIndex(({ ok }) => ok)).find((n) => n >= 0);
      for (const store of [one, two])
        expect(await store.getInteraction({ orgId, id: record.id })).toMatchObject({ version: 2, title: `by ${won}` });
    }
    await expectSound();
  });

  test('[N1][T2] of many changes of one version of a thread over both exactly one wins', async () => {
    await commitAll(one, newThread('t1'));
    let before = threadOf('t1');
    for (let round = 0; round < 10; round++) {
      const changes = times(25, (n) => nextThread(before, { title: `${round} by ${n}` }));
      const committed = await onBoth(changes);
      expect(winners(committed)).toBe(1);
      const won = committed.map((all) => all.findIndex(({ ok }) => ok)).find((n) => n >= 0);
      before = (await two.getThread({ orgId, id: 't1' })) ?? before;
      expect(before).toMatchObject({ version: round + 2, title: `${round} by ${won}` });
    }
    await expectSound();
  });

  test('[N1][AN4] answers to many interactions in opposite order: each is closed once', async () => {
    const asked = times(300, (n) => interactionOf(idOf(n), `t${n % 5}`));
    await commitAll(one, ...times(5, (n) => newThread(`t${n}`)));
    await Promise.all(asked.map((record) => one.commit(newInteraction(record))));
    const [ones, twos] = await onBoth(asked.map((record) => nextVersion(record, { status: 'answered' })));
    for (const n of asked.keys()) expect(winners([[ones[n], twos[n]] as Committed[]])).toBe(1);
    await expectSound();
  });

  test('[N1][AN4] a thread, an org, a key and an end of a grant happen once', async () => {
    await commitAll(one, newThread('here'));
    const grants = times(50, (n) => grantOf(idOf(n), { threadId: 'here' }));
    for (const newGrant of grants) await commitAll(one, { orgId, newGrant });
    const once: Change[] = [
      ...times(50, (n) => newThread(`new ${n}`)),
      ...times(50, (n): Change => ({ orgId: 'default', newOrg: { id: `org ${n}`, createdAt: at } })),
      ...times(50, (n): Change => ({ orgId, newApiKey: apiKeyOf(idOf(n)) })),
      ...grants.map((grant): Change => ({ orgId, closedGrant: { ...grant, revokedAt: at } })),
    ];
    const [ones, twos] = await onBoth(once);
    for (const n of once.keys()) {
      const pair = [ones[n], twos[n]];
      expect(pair.filter((committed) => committed?.ok)).toHaveLength(1);
      expect(pair.find((committed) => !committed?.ok)).toEqual({ ok: false, reason: 'conflict' });
    }
    await expectSound();
  });

  test('[N1][AN9] secrets are taken by exactly one over both', async () => {
    await commitAll(one, newThread('t1'), newThread('t2'));
    const ids = times(20, (n) => idOf(n));
    for (const interactionId of ids) await commitAll(one, { orgId, newSecrets: { interactionId, values: { pin: 1 } } });
    const take = ids.flatMap((interactionId, n) =>
      times(10, (): Change => ({ ...say(`t${1 + (n % 2)}`, 'taken'), takenSecrets: { interactionId } })),
    );
    const [ones, twos] = await onBoth(take);
    for (const n of ids.keys())
      expect(winners([ones.slice(n * 10, n * 10 + 10), twos.slice(n * 10, n * 10 + 10)])).toBe(1);
    for (const interactionId of ids) expect(await two.getSecrets({ orgId, interactionId })).toBeUndefined();
    await expectSound();
  });

  test('[N1][N3] deadlines are claimed by one of the two, while interactions are asked and answered', async () => {
    await commitAll(one, newThread('t1'));
    const due = Date.parse(at);
    const kind = 'interaction';
    const timed = (change: Change, dueAt: number | null): Change => ({
      ...change,
      timers: [{ kind, id: change.interaction?.record.id ?? '', dueAt }],
    });
    const asked = times(300, (n) => interactionOf(idOf(n), 't1'));
    await Promise.all(asked.map((record) => one.commit(timed(newInteraction(record), due))));
    const claimAll = async (store: Store): Promise<string[]> => {
      const claimed: string[] = [];
      for (let rounds = 0; rounds < 30; rounds++)
        claimed.push(...(await store.claimDue({ kind, now: due, limit: 10, forMs: 60_000 })).map(({ id }) => id));
      return claimed;
    };
    const answers = Promise.all(
      asked.slice(0, 100).map((record) => two.commit(timed(nextVersion(record, { status: 'answered' }), null))),
    );
    const claimed = (await Promise.all([claimAll(one), claimAll(two)])).flat();
    expect(winners([await answers])).toBe(100);
    expect(claimed).toHaveLength(new Set(claimed).size);
    expect(claimed).toEqual(expect.arrayContaining(times(200, (n) => idOf(100 + n))));
    await expectSound();
  });

  test('[N1][AN4] a document that both change, each in a thread of its own, is changed by one', async () => {
    await commitAll(one, newThread('a'), newThread('b'));
    const document = (n: number) => ({ type: 'reader', id: `${n % 10}` }) as const;
    for (let round = 0; round < 5; round++) {
      const expected = await Promise.all(
        times(10, async (n) => (await one.getDocument({ orgId, ...document(n) }))?.revision ?? null),
      );
      const set = (threadId: string, n: number): Change => ({
        ...say(threadId, `${n}`),
        documents: [{ ...document(n), record: { cursor: `${threadId} ${n}` }, expected: expected[n % 10] ?? null }],
      });
      const [ones, twos] = await Promise.all([
        Promise.all(times(40, (n) => one.commit(set('a', n)))),
        Promise.all(times(40, (n) => two.commit(set('b', 39 - n)))).then((all) => all.reverse()),
      ]);
      expect(winners([ones, twos])).toBe(10);
      for (let id = 0; id < 10; id++) {
        const won = times(40, (n) => n).flatMap((n) => [
          ...(n % 10 === id && ones[n]?.ok ? [`a ${n}`] : []),
          ...(n % 10 === id && twos[n]?.ok ? [`b ${n}`] : []),
        ]);
        expect(won).toHaveLength(1);
        expect(await two.getDocument({ orgId, ...document(id) })).toMatchObject({ record: { cursor: won[0] } });
      }
    }
    await expectSound();
  });

  test('[N1] a value they settle at once is the same for both', async () => {
    for (let n = 0; n < 50; n++) {
      const key = `key ${n}`;
      const offered = times(6, (which) => (which % 2 ? one : two).getOrCreateMeta({ key, value: `${which}` }));
      expect(new Set(await Promise.all(offered)).size).toBe(1);
    }
    await expectSound();
  });
});
