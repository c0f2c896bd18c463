/** Promises of runs: a thread has one open run, one change of a version wins, and the journal is saved with it. */
import { defined, type JournalEntry, type Run, type RunStatus } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { queueTimerKind } from '../../domain/dispatch/thread-queue.ts';
import type { Change, Store, TimerKind } from '../store.ts';
import { type Cases, commitAll, expectConflict, readPages, winnersOf } from './opened-store.ts';
import { entryOf, eventOf, idOf, newRun, newThread, nextRun, orgId, runOf } from './records.fixture.ts';

const statuses: RunStatus[] = ['running', 'waiting', 'completed', 'failed', 'cancelled'];

export const runCases: Cases = (opened) => {
  const started = async (): Promise<Store> => {
    const { store } = opened();
    await commitAll(store, newThread('t1'), newThread('t2'), newThread('t1', 'other'));
    return store;
  };
  const run = runOf(idOf(1), 't1');
  const journal = async (store: Store, by: Partial<Parameters<Store['readJournal']>[0]> = {}) =>
    (await store.readJournal({ orgId, runId: run.id, after: 0, limit: 99, ...by })).items;

  describe('runs', () => {
    test('[S1][RU7] a run and its journal are there as they were written, also after a restart', async () => {
      const store = await started();
      const entries = [1, 2, 3].map((index) => entryOf(index, { data: { odd: '\u0000 "’', index } }));
      const [first, ...rest] = entries as [JournalEntry, ...JournalEntry[]];
      await commitAll(store, { ...newRun(run), newEntries: [first] });
      await commitAll(store, { ...nextRun(run, { status: 'waiting', entries: 3 }), newEntries: rest });
      const again = await opened().reopen();
      expect(await again.getRun({ orgId, id: run.id })).toEqual({ ...run, version: 2, status: 'waiting', entries: 3 });
      expect(await journal(again)).toEqual(entries);
      expect(await journal(again, { after: 1, limit: 1 })).toEqual([entries[1]]);
      expect(await journal(again, { after: 3 })).toEqual([]);
    });

    test('[RU1] a second open run of a thread is a conflict, whichever way the two are open', async () => {
      const store = await started();
      const open = ['running', 'waiting'] as const;
      const pairs = open.flatMap((first) => open.map((second) => [first, second] as const));
      for (const [n, [first, second]] of pairs.entries()) {
        const threadId = `thread-${n}`;
        await commitAll(store, newThread(threadId), newRun(runOf(idOf(n), threadId, { status: first })));
        await expectConflict(store, newRun(runOf(idOf(50 + n), threadId, { status: second })));
      }
      await commitAll(store, newRun(runOf(idOf(60), 't2')), newRun(runOf(idOf(60), 't1'), 'other'));
    });

    test('[RU1] an open run may continue, and after its end another may begin', async () => {
      const store = await started();
      await commitAll(store, newRun(run), nextRun(run), nextRun({ ...run, version: 2 }, { status: 'waiting' }));
      await commitAll(store, nextRun({ ...run, version: 3 }, { status: 'completed' }));
      await commitAll(store, newRun(runOf(idOf(2), 't1', { status: 'failed' })), newRun(runOf(idOf(3), 't1')));
      await expectConflict(store, newRun(runOf(idOf(4), 't1')));
    });

    test('[RU1] of many runs that begin in a thread at once one does', async () => {
      const store = await started();
      const changes = Array.from({ length: 20 }, (_, n) => newRun(runOf(idOf(n), 't1')));
      const winners = await winnersOf(store, changes);
      expect(winners).toHaveLength(1);
      const { items } = await store.listRuns({ orgId, threadId: 't1', order: 'oldest', limit: 99 });
      expect(items.map(({ id }) => id)).toEqual(winners.map((n) => idOf(n)));
    });

    test('[RU8] of many changes of one version one is saved, with its entries and events and no others', async () => {
      const store = await started();
      await commitAll(store, newRun(run));
      const changes = Array.from(
        { length: 20 },
        (_, n): Change => ({
          ...nextRun(run, { entries: 2 }),
          newEntries: [entryOf(1, { name: `${n}` }), entryOf(2, { name: `${n}` })],
          timers: [{ kind: 'run', id: run.id, dueAt: n }],
        }),
      );
      const [winner, ...others] = await winnersOf(store, changes);
      expect(others).toEqual([]);
      expect((await journal(store)).map(({ name }) => name)).toEqual([`${winner}`, `${winner}`]);
      expect(await store.nextDueAt({ kind: 'run' })).toBe(winner);
      expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 99 })).items).toHaveLength(3);
    });

    test('[RU8] a change of a run that is not there, or is there already, is a conflict and changes nothing', async () => {
      const store = await started();
      await expectConflict(store, nextRun(run));
      await commitAll(store, newRun({ ...run, status: 'completed' }));
      await expectConflict(store, { ...newRun({ ...run, agent: 'another' }), newEntries: [entryOf(1)] });
      await expectConflict(store, nextRun({ ...run, version: 7 }));
      expect(await store.getRun({ orgId, id: run.id })).toEqual({ ...run, status: 'completed' });
      expect(await journal(store)).toEqual([]);
    });

    test('[S2][RU3] a run and a document are saved together or not at all', async () => {
      const store = await started();
      const begin = (expected: string | null): Change => ({
        ...newRun(run),
        documents: [{ type: 'reader', id: 'r', record: { cursor: '1' }, expected }],
      });
      await expectConflict(store, begin('another'));
      expect(await store.getRun({ orgId, id: run.id })).toBeUndefined();
      await commitAll(store, begin(null));
      await expectConflict(store, begin(null));
      expect(await store.getRun({ orgId, id: run.id })).toEqual(run);
    });

    test('[RU8] changes of many runs at once do not disturb each other', async () => {
      const store = await started();
      const threads = Array.from({ length: 40 }, (_, n) => `many-${n}`);
      await Promise.all(threads.map((id) => commitAll(store, newThread(id))));
      const many = threads.map((id, n) => runOf(idOf(n), id));
      expect(
        await winnersOf(
          store,
          many.map((each) => newRun(each)),
        ),
      ).toHaveLength(40);
      const advances = many.map(
        (each, n): Change => ({
          ...nextRun(n % 2 ? each : { ...each, version: 9 }, { entries: 1 }),
          newEntries: [entryOf(1)],
        }),
      );
      const odd = many.flatMap((_, n) => (n % 2 ? [n] : []));
      expect(await winnersOf(store, advances)).toEqual(odd);
    });

    test('[X2][RU13] runs and journals of another org are not there', async () => {
      const store = await started();
      await commitAll(store, { ...newRun(run), newEntries: [entryOf(1)] });
      expect(await store.getRun({ orgId: 'other', id: run.id })).toBeUndefined();
      expect(await journal(store, { orgId: 'other' })).toEqual([]);
      expect(await store.listRuns({ orgId: 'other', order: 'oldest', limit: 9 })).toEqual({ items: [] });
      await expectConflict(store, nextRun(run, {}, 'other'));
    });

    test('[L4][RU7] every filter lists exactly the matching runs, in both orders, page by page', async () => {
      const store = await started();
      const all: Run[] = [];
      for (let n = 0; n < 30; n++) {
        const threadId = `thread-${n % 7}`;
        const status = n < 25 ? (['completed', 'failed', 'cancelled'] as const)[n % 3] : 'waiting';
        const made = runOf(idOf((n * 17) % 30), threadId, { status: status ?? 'failed', agent: n % 4 ? 'a' : 'b' });
        if (n < 7) await commitAll(store, newThread(threadId));
        await commitAll(store, newRun(made));
        all.push(made);
      }
      all.sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const threadId of [undefined, 'thread-1'])
        for (const status of [undefined, ...statuses])
          for (const agent of [undefined, 'a', 'b', "x' OR '1' = '1"])
            for (const order of ['oldest', 'newest'] as const) {
              const given = { threadId, status, agent };
              const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
              const pages = await readPages((cursor) =>
                store.listRuns({ ...filter, orgId, order, limit: 4, ...defined({ cursor }) }),
              );
              const wanted = all.filter(
                (each) =>
                  (threadId ?? each.threadId) === each.threadId &&
                  (status ?? each.status) === each.status &&
                  (agent ?? each.agent) === each.agent,
              );
              expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
            }
    });

    test('[RU10] timers of runs, and of the thread queues of each agent, are claimed separately', async () => {
      const store = await started();
      const ofA: TimerKind = queueTimerKind('a');
      const ofB: TimerKind = queueTimerKind('b');
      const kinds: TimerKind[] = ['run', queueTimerKind(undefined), ofA, ofB];
      await commitAll(store, { orgId, timers: kinds.map((kind, n) => ({ kind, id: 't1', dueAt: n })) });
      for (const [n, kind] of kinds.entries()) {
        expect(await store.nextDueAt({ kind, orgId })).toBe(n);
        const claims = await store.claimDue({ kind, orgId, now: 9, limit: 9, forMs: 1 });
        expect(claims.map((claim) => claim.kind)).toEqual([kind]);
      }
      await commitAll(store, { orgId, timers: [{ kind: ofA, id: 't1', dueAt: null }] });
      expect(await store.nextDueAt({ kind: ofA, orgId })).toBeUndefined();
      expect(await store.nextDueAt({ kind: ofB, orgId })).toBeDefined();
    });
  });

  test('[L1] the listeners get the events of a run like any others', async () => {
    const store = await started();
    const heads = await commitAll(store, { ...newRun(run), log: { threadId: 't1', events: [eventOf('run.started')] } });
    expect(heads).toMatchObject([{ orgId, threadId: 't1', seq: 2, type: 'run.started' }]);
  });
};
