/** Promises of timers: one claim gets a due timer, an unmoved timer is due again, and a change moves its timers. */
import { describe, expect, test } from 'vitest';
import type { Change, Claim, Store, TimerKind } from '../store.ts';
import { type Cases, commitAll, expectConflict } from './opened-store.ts';
import {
  at,
  eventOf,
  idOf,
  interactionOf,
  newInteraction,
  newThread,
  nextVersion,
  orgId,
  threadOf,
} from './records.fixture.ts';

const now = Date.parse(at);
const kind: TimerKind = 'interaction';
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const idsOf = (claims: readonly Claim[]): string[] => claims.map(({ id }) => id);

/** Sets timers of one kind, each so many milliseconds from now, or never. */
const set = (offsets: Record<string, number | null>, of: { kind?: TimerKind; org?: string } = {}): Change => ({
  orgId: of.org ?? orgId,
  timers: Object.entries(offsets).map(([id, offsetMs]) => ({
    kind: of.kind ?? kind,
    id,
    dueAt: offsetMs === null ? null : now + offsetMs,
  })),
});

interface Asked {
  at?: number;
  limit?: number;
  forMs?: number;
  longestMs?: number;
  kind?: TimerKind;
  org?: string;
}

const claimFrom = (
  store: Store,
  { at: offsetMs = 0, limit = 9, forMs = 1_000, kind: of = kind, org, ...more }: Asked,
) =>
  store.claimDue({
    kind: of,
    now: now + offsetMs,
    limit,
    forMs,
    ...(org === undefined ? {} : { orgId: org }),
    ...more,
  });

export const timerCases: Cases = (opened) => {
  const claim = (asked: Asked = {}) => claimFrom(opened().store, asked);
  const claimIds = async (asked: Asked = {}) => idsOf(await claim(asked));
  const commit = (...changes: Change[]) => commitAll(opened().store, ...changes);
  const nextIn = async (of: { kind?: TimerKind; orgId?: string } = {}) => {
    const nextAt = await opened().store.nextDueAt({ kind, ...of });
    return nextAt === undefined ? undefined : nextAt - now;
  };

  describe('timers', () => {
    test('[X42] one that lies further ahead than any should is due, whatever the org that is asked for', async () => {
      await commit(set({ near: 5, edge: 1_000, far: 1_001 }), set({ farther: 7_200_000 }, { org: 'other' }));
      await commit(set({ else: 7_200_000 }, { kind: 'stream' }));
      expect(await claimIds()).toEqual([]);
      expect(await claimIds({ longestMs: 7_200_000 })).toEqual([]);
      expect((await claimIds({ longestMs: 1_000, forMs: 10 })).sort()).toEqual(['far', 'farther']);
      expect(await claimIds({ longestMs: 1_000 })).toEqual([]);
      expect(await claimIds({ at: 10, longestMs: 990, limit: 2, forMs: 20 })).toEqual(['near', 'far']);
      expect(await claimIds({ at: 10, longestMs: 989, org: orgId })).toEqual(['edge']);
      expect(await claimIds({ at: 10, longestMs: 989, org: 'other' })).toEqual(['farther']);
    });

    test('[D4] due timers are found in every org, the earliest first', async () => {
      expect(await nextIn()).toBeUndefined();
      await commit(set({ a: 30, b: 20 }), set({ c: 10 }, { org: 'other' }), set({ d: null }));
      expect(await nextIn()).toBe(10);
      expect(await claim({ at: 9 })).toEqual([]);
      const other = { kind, orgId: 'other', id: 'c' };
      expect(await claim({ at: 10, forMs: 15 })).toEqual([{ ...other, until: now + 25 }]);
      expect(await claim({ at: 30, forMs: 5 })).toEqual([
        { kind, orgId, id: 'b', until: now + 35 },
        { ...other, until: now + 35 },
        { kind, orgId, id: 'a', until: now + 35 },
      ]);
    });

    test('[D4] a claim gets at most its limit, and the earliest timers', async () => {
      await commit(set(Object.fromEntries(times(30, (n) => [idOf(n), (n * 7) % 30]))));
      const inOrder = times(30, (n) => idOf((n * 13) % 30));
      expect(await claimIds({ at: 20, limit: 4 })).toEqual(inOrder.slice(0, 4));
      expect(await claimIds({ at: 20, limit: 1 })).toEqual(inOrder.slice(4, 5));
      expect(await claimIds({ at: 20, limit: 99 })).toEqual(inOrder.slice(5, 21));
      expect(await claimIds({ at: 40, limit: 99 })).toEqual(inOrder.slice(21));
    });

    test('[D4] hundreds of one moment are taken on once each, a few at a time', async () => {
      const ids = times(300, (n) => idOf(n));
      await commit(set(Object.fromEntries(ids.map((id) => [id, 0]))));
      const claimed: string[] = [];
      for (let more = await claimIds({ limit: 7 }); more.length > 0; more = await claimIds({ limit: 7 }))
        claimed.push(...more);
      expect(claimed.toSorted()).toEqual(ids);
    });

    test('[D4] claims of one kind or one org get only its own timers, and so does the next due time', async () => {
      await commit(
        set({ a: 10 }),
        set({ b: 20 }, { kind: 'stream' }),
        set({ c: 30 }, { kind: 'stream', org: 'other' }),
      );
      await commit(set({ a: 40 }, { kind: 'stream', org: 'other' }));
      expect(await Promise.all([nextIn(), nextIn({ kind: 'stream' }), nextIn({ kind: 'webhook' })])).toEqual([
        10,
        20,
        undefined,
      ]);
      expect(await nextIn({ kind: 'stream', orgId: 'other' })).toBe(30);
      expect(await nextIn({ orgId: 'other' })).toBeUndefined();
      expect(await claim({ at: 50, kind: 'webhook' })).toEqual([]);
      expect(await claim({ at: 50, org: 'other' })).toEqual([]);
      expect(await claimIds({ at: 50, kind: 'stream', org: 'other' })).toEqual(['c', 'a']);
      expect(await nextIn({ kind: 'stream', orgId: 'other' })).toBe(1_050);
      expect(await nextIn({ kind: 'stream' })).toBe(20);
      expect(await claimIds({ at: 50, kind: 'stream' })).toEqual(['b']);
      expect(await claim({ at: 50, kind: 'stream', org: orgId })).toEqual([]);
      expect(await claimIds({ at: 50 })).toEqual(['a']);
    });

    test('[D4] no other claim gets a claimed timer until the claim ends', async () => {
      await commit(set({ a: 1, b: 2, c: 3, d: 4, e: 5 }));
      const claimed = await Promise.all(times(4, () => claimIds({ at: 10, limit: 2 })));
      expect(claimed.flat().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(await nextIn()).toBe(1_010);
      expect(await claim({ at: 1_009 })).toEqual([]);
      expect((await claimIds({ at: 1_010 })).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('[D4] an ended claim is ordered with the timers that have become due since', async () => {
      await commit(set({ a: 0, b: 50, c: 150 }));
      expect(await claimIds({ limit: 1, forMs: 100 })).toEqual(['a']);
      expect(await nextIn()).toBe(50);
      expect(await claimIds({ at: 200, limit: 2 })).toEqual(['b', 'a']);
      expect(await claimIds({ at: 200 })).toEqual(['c']);
    });

    test('[D4] a claim lasts as long as was asked for, whatever others ask for', async () => {
      await commit(set({ a: 0 }));
      expect(await claimIds({ forMs: 60_000 })).toEqual(['a']);
      await commit(set({ b: 1 }));
      expect(await claimIds({ at: 1, forMs: 5 })).toEqual(['b']);
      expect(await claimIds({ at: 30_000 })).toEqual(['b']);
      expect(await claimIds({ at: 60_000 })).toEqual(['b', 'a'].toSorted().reverse());
    });

    test('[D4] a commit that moves a timer ends its claim, wherever it is moved to', async () => {
      const ids = ['same', 'earlier', 'past', 'later', 'never'];
      await commit(set(Object.fromEntries(ids.map((id) => [id, 0]))));
      expect((await claimIds()).toSorted()).toEqual(ids.toSorted());
      await commit(set({ same: 0, earlier: -5_000, past: 1, later: 500, never: null }));
      expect(await nextIn()).toBe(-5_000);
      expect(await claimIds({ at: 10 })).toEqual(['earlier', 'same', 'past']);
      expect(await nextIn()).toBe(500);
      expect(await claimIds({ at: 500 })).toEqual(['later']);
      expect(await claim({ at: 999 })).toEqual([]);
      await commit(set({ never: 20 }));
      expect(await claimIds({ at: 999 })).toEqual(['never']);
    });

    test.each([undefined, orgId])(
      '[D4] one set to be due before what is taken on already is due (org: %s)',
      async (org) => {
        const of = org === undefined ? {} : { org };
        await commit(set({ a: 100, b: 101 }));
        expect(await claimIds({ at: 200, ...of })).toEqual(['a', 'b']);
        await commit(set({ c: 50 }), set({ d: 100 }), set({ e: 101 }), set({ f: 60 }, { org: 'other' }));
        expect(await claimIds({ at: 200, limit: 2, ...of })).toEqual(['c', org === undefined ? 'f' : 'd']);
        expect(await claimIds({ at: 200, org: orgId })).toEqual(org === undefined ? ['d', 'e'] : ['e']);
      },
    );

    test('[D4] of several times for one timer in a change the last holds', async () => {
      const timer = (offsetMs: number | null) => set({ a: offsetMs }).timers ?? [];
      await commit({ orgId, timers: [...timer(10), ...timer(null), ...timer(20)] });
      expect(await nextIn()).toBe(20);
      await commit({ orgId, timers: [...timer(5), ...timer(null)] });
      expect(await nextIn()).toBeUndefined();
    });

    test('[S2][D4] a timer is set with the rest of its change, or not at all', async () => {
      const { store } = opened();
      const record = interactionOf(idOf(1), 't1');
      const timer = (offsetMs: number) => ({ kind, id: idOf(1), dueAt: now + offsetMs });
      await commit(newThread('t1'), { ...newInteraction(record), timers: [timer(10)] });
      await commit(nextVersion(record));
      const [claimed] = await claim({ at: 10 });
      await expectConflict(store, { ...nextVersion(record), timers: [timer(500)] });
      const nowhere = { threadId: 'nowhere', events: [eventOf('message.created')] };
      const refused = await store.commit({ orgId, log: nowhere, timers: [{ ...timer(0), dueAt: null }] });
      expect(refused).toEqual({ ok: false, reason: 'no-thread' });
      expect(await nextIn()).toBe(1_010);
      expect(await store.moveClaims({ claims: claimed ? [claimed] : [], until: now })).toHaveLength(1);
      expect(await claimIds()).toEqual([idOf(1)]);
    });

    test('[D4] changes that are refused while timers are taken on lose none of them', async () => {
      const { store } = opened();
      const ids = times(100, (n) => idOf(n));
      await commit(newThread('t1'), set(Object.fromEntries(ids.map((id, n) => [id, n]))));
      const refused: Change = { ...set(Object.fromEntries(ids.map((id) => [id, 5_000]))), newThread: threadOf('t1') };
      const claimed: string[] = [];
      const underWay = Promise.all(times(20, () => store.commit(refused)));
      for (let rounds = 0; rounds < 20; rounds++) claimed.push(...(await claimIds({ at: 200, limit: 5 })));
      for (const { ok } of await underWay) expect(ok).toBe(false);
      for (let more = await claimIds({ at: 200 }); more.length > 0; more = await claimIds({ at: 200 }))
        claimed.push(...more);
      expect(claimed.toSorted()).toEqual(ids);
    });

    test('[D4] a timer that is set and claimed at the same time never has two claims', async () => {
      const { store } = opened();
      const ids = times(20, (n) => `t${n}`);
      const hands = new Map<string, number>();
      const turns = new Map(ids.map((id) => [id, 0]));
      let moment = -1e6;
      let isOver = false;
      const takeTurn = async ({ id }: Claim) => {
        hands.set(id, (hands.get(id) ?? 0) + 1);
        expect(hands.get(id)).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        hands.set(id, 0);
        turns.set(id, (turns.get(id) ?? 0) + 1);
        await store.commit(set({ [id]: moment++ }));
      };
      const work = async () => {
        while (!isOver) {
          await Promise.all((await claim({ limit: 3, forMs: 1e9 })).map(takeTurn));
          await new Promise((resolve) => setImmediate(resolve));
          isOver ||= Math.min(...turns.values()) >= 20;
        }
      };
      await commit(set(Object.fromEntries(ids.map((id) => [id, moment++]))));
      await Promise.all(times(4, work));
    });

    test('[D4] claims that are still held can be kept longer, or given back', async () => {
      const { store } = opened();
      await commit(set({ a: 0, b: 1, c: 2 }), set({ d: 3 }, { org: 'other' }));
      const claims = await claim({ at: 10 });
      const kept = await store.moveClaims({ claims: claims.slice(0, 2), until: now + 5_000 });
      expect(kept).toEqual(claims.slice(0, 2).map((each) => ({ ...each, until: now + 5_000 })));
      const given = await store.moveClaims({ claims: claims.slice(3), until: now + 10 });
      expect(given).toEqual([{ kind, orgId: 'other', id: 'd', until: now + 10 }]);
      expect(await nextIn()).toBe(10);
      expect(await claimIds({ at: 10 })).toEqual(['d']);
      expect(await claimIds({ at: 1_010 })).toEqual(expect.arrayContaining(['c', 'd']));
      expect(await claimIds({ at: 4_999, org: orgId })).toEqual(['c']);
      expect((await claimIds({ at: 5_000, org: orgId })).toSorted()).toEqual(['a', 'b']);
      expect(await store.moveClaims({ claims: [], until: now })).toEqual([]);
    });

    test('[D4] a claim that was lost is not moved', async () => {
      const { store } = opened();
      await commit(set({ over: 0, moved: 0, gone: 0, held: 0 }));
      const claims = await claim({ forMs: 100 });
      await commit(set({ moved: 50_000, gone: null }));
      const again = await store.moveClaims({ claims: claims.filter(({ id }) => id === 'held'), until: now + 200 });
      expect(await claimIds({ at: 100 })).toEqual(['over']);
      expect(await store.moveClaims({ claims, until: now })).toEqual([]);
      expect(await nextIn()).toBe(200);
      expect(await store.moveClaims({ claims: [...claims, ...again], until: now })).toEqual(
        again.map((each) => ({ ...each, until: now })),
      );
      expect(await claimIds()).toEqual(['held']);
    });

    test('[D4] an ended claim is still held if no other claim has the timer', async () => {
      const { store } = opened();
      await commit(set({ a: 0 }));
      const claims = await claim({ forMs: 100 });
      expect(await claim({ at: 99 })).toEqual([]);
      expect(await store.moveClaims({ claims, until: now + 9_000 })).toHaveLength(1);
      expect(await claim({ at: 8_999 })).toEqual([]);
    });

    test('[S1] timers are there after reopening, and nothing stays taken on for longer than its time', async () => {
      await commit(set({ a: 0, b: 10_000 }));
      expect(await claimIds({ forMs: 500 })).toEqual(['a']);
      const again = await opened().reopen();
      expect(await again.nextDueAt({ kind })).toBeLessThanOrEqual(now + 500);
      expect(idsOf(await claimFrom(again, { at: 500 }))).toEqual(['a']);
      expect(idsOf(await claimFrom(again, { at: 10_000 }))).toEqual(expect.arrayContaining(['b']));
    });
  });
};
