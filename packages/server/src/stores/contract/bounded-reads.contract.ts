/** The contract of a store that examines one row in each step: short pages, and cursors that leave nothing out. */
import {
  defined,
  type Interaction,
  type InteractionFilter,
  type LogEvent,
  type Run,
  type RunFilter,
} from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import type { Store } from '../store.ts';
import { beginning, type Cases, commitAll, readPages } from './opened-store.ts';
import {
  entryOf,
  eventOf,
  idOf,
  interactionOf,
  newInteraction,
  newRun,
  newThread,
  nextVersion,
  orgId,
  runOf,
} from './records.fixture.ts';

/** A page takes at most this many steps. With one row in each step, it examines as many rows. */
const rowsOfPage = 50;
const rowsOfCount = 500;

const rare = (n: number): boolean => n % 60 === 59;

/** Stores interactions of one thread, run and person. One in sixty has another kind. */
async function fill(store: Store, count: number): Promise<Interaction[]> {
  await commitAll(store, newThread('t1'), newThread('t1', 'other'));
  const records = Array.from({ length: count }, (_, n) =>
    interactionOf(idOf(n), 't1', {
      ...{ kind: rare(n) ? 'choice' : 'form', run: { id: 'r1' } },
      responder: { type: 'human', assignees: ['ann'] },
    }),
  );
  const changes = records.flatMap((record) => [newInteraction(record), newInteraction(record, 'other')]);
  await Promise.all(changes.map((change) => store.commit(change)));
  return records.filter((_, n) => rare(n));
}

const filters: InteractionFilter[] = [
  { kind: 'choice' },
  { kind: 'choice', status: 'pending' },
  { kind: 'choice', threadId: 't1' },
  { kind: 'choice', runId: 'r1' },
  { kind: 'choice', assignee: 'ann' },
  { kind: 'choice', assignee: 'ann', threadId: 't1', runId: 'r1', status: 'pending' },
];

/** Two bytes for each character, so that counting characters would make a page too long. */
const large = 'é'.repeat(400_000);

async function fillLarge(store: Store): Promise<Interaction[]> {
  await commitAll(store, newThread('t1'));
  const records = Array.from({ length: 12 }, (_, n) =>
    interactionOf(idOf(n), 't1', {
      ...{ kind: 'choice', run: { id: 'r1' }, body: n % 4 === 3 ? 'small' : large },
      responder: { type: 'human', assignees: ['ann'] },
    }),
  );
  for (const record of records)
    await commitAll(store, { ...newInteraction(record), log: { threadId: 't1', events: [createdEvent(record)] } });
  return records;
}

const createdEvent = (interaction: Interaction) => eventOf('interaction.created', undefined, { interaction });

/** All of them together have more than 7 MB. */
function expectShort(pages: unknown[][]): void {
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(4.2 * 1_048_576);
  expect(pages.filter((page) => page.length > 0).length).toBeGreaterThanOrEqual(2);
}

export const boundedReadCases: Cases = (opened) => {
  describe('bounded reads', () => {
    test('[L20] a page that finds few matches is short, and the next one continues at its end', async () => {
      const { store } = opened();
      const wanted = await fill(store, 190);
      expect(wanted).toHaveLength(3);
      for (const filter of filters)
        for (const order of ['oldest', 'newest'] as const) {
          const pages = await readPages((cursor) =>
            store.listInteractions({ ...filter, orgId, order, limit: 9, ...defined({ cursor }) }),
          );
          expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
          expect(pages.length).toBeGreaterThanOrEqual(Math.floor(190 / rowsOfPage));
        }
    });

    test('[L20][C2] an offset that a page did not get past is gone on with by its cursor', async () => {
      const { store } = opened();
      const wanted = await fill(store, 190);
      for (const filter of filters)
        for (const offset of [1, 2, 3]) {
          const pages = await readPages((cursor) =>
            store.listInteractions({ ...filter, orgId, limit: 9, ...(cursor ? { cursor } : { offset }) }),
          );
          expect(pages.flat()).toEqual(wanted.slice(offset));
        }
    });

    test('[L20] a record that is committed between two pages is found if it sorts after the first', async () => {
      const { store } = opened();
      await fill(store, 59);
      const filter = { kind: 'choice', orgId, limit: 9 } as const;
      const first = await store.listInteractions(filter);
      expect(first.items).toEqual([]);
      const late = interactionOf(idOf(1_000), 't1', { kind: 'choice' });
      await commitAll(store, newInteraction(late));
      const { next = '' } = first;
      expect(await store.listInteractions({ ...filter, cursor: next })).toEqual({ items: [late] });
    });

    test('[L20] a list that an index answers has full pages, however many rows there are', async () => {
      const { store } = opened();
      await fill(store, 190);
      for (const filter of [
        {},
        { status: 'pending' },
        { threadId: 't1' },
        { runId: 'r1' },
        { assignee: 'ann' },
      ] as const) {
        const { items, next } = await store.listInteractions({ ...filter, orgId, limit: 180 });
        expect(items).toHaveLength(180);
        expect(next).toBe(idOf(179));
      }
    });

    test('[L20] a count that would examine too many rows says that there may be more', async () => {
      const { store } = opened();
      const wanted = await fill(store, rowsOfCount + 10);
      for (const filter of filters) {
        const counted = await store.countInteractions({ ...filter, orgId, limit: 100 });
        expect(counted.isPartial).toBe(true);
        expect(counted.count).toBeLessThanOrEqual(wanted.length);
        expect(counted.count).toBeGreaterThanOrEqual(wanted.length - 1);
      }
      expect(await store.countInteractions({ orgId, status: 'pending', limit: 1_000 })).toEqual({
        count: rowsOfCount + 10,
      });
    });

    test('[L20] runs of an agent, a thread and a status are found page by page', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'));
      const runs = Array.from({ length: 130 }, (_, n): Run => {
        const status = rare(n) ? 'failed' : 'completed';
        return runOf(idOf(n), 't1', { status, agent: n % 2 ? 'odd' : 'even' });
      });
      await Promise.all(runs.map((run) => store.commit(newRun(run))));
      const wanted = runs.filter(({ status }) => status === 'failed');
      expect(wanted).toHaveLength(2);
      for (const more of [{ threadId: 't1' }, { agent: 'odd' }, { threadId: 't1', agent: 'odd' }] as RunFilter[])
        for (const order of ['oldest', 'newest'] as const) {
          const filter = { ...more, status: 'failed', order, orgId, limit: 9 } as const;
          const pages = await readPages((cursor) => store.listRuns({ ...filter, ...defined({ cursor }) }));
          expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
          expect(pages.length).toBeGreaterThan(1);
        }
    });

    test('[L20][L6] a filter of the log that few events fit is read in steps, none of them left out', async () => {
      const { store } = opened();
      const [first] = await fill(store, 70);
      await commitAll(store, nextVersion(first as Interaction));
      const all = await readPages((after = beginning) => store.readEvents({ orgId, after, limit: 30 }));
      const wanted = all.flat().filter(({ type }) => type === 'interaction.updated');
      expect(wanted).toHaveLength(1);
      const types = ['interaction.updated', 'grant.revoked'] as const;
      const interactionId = wanted[0]?.interactionId ?? '';
      for (const filter of [{ types }, { threadId: 't1', types }, { threadId: 't1', types, interactionId }]) {
        const pages = await readPages((after = beginning) => store.readEvents({ ...filter, orgId, after, limit: 9 }));
        expect(pages.flat()).toEqual(wanted);
        expect(pages.length).toBeGreaterThanOrEqual(70);
      }
    });

    test('[L20] a page of any list ends after about 4 MB, and the next one continues there', async () => {
      const { store } = opened();
      const records = await fillLarge(store);
      for (const filter of [{}, { status: 'pending' }, { threadId: 't1' }, ...filters] as InteractionFilter[])
        for (const order of ['oldest', 'newest'] as const) {
          const pages = await readPages((cursor) =>
            store.listInteractions({ ...filter, orgId, order, limit: 200, ...defined({ cursor }) }),
          );
          expect(pages.flat()).toEqual(order === 'oldest' ? records : records.toReversed());
          expectShort(pages);
        }
      const some = await store.listInteractions({ orgId, limit: 3 });
      expect(some).toEqual({ items: records.slice(0, 3), next: idOf(2) });
    });

    test('[L20] a page of the log and of a journal ends after about 4 MB, and the next one continues there', async () => {
      const { store } = opened();
      const records = await fillLarge(store);
      const asked = (events: LogEvent[]) =>
        events.flatMap(({ type, data }) => (type === 'interaction.created' ? [data.interaction] : []));
      for (const filter of [{}, { threadId: 't1' }, { types: ['interaction.created'] as const }]) {
        const pages = await readPages((after = beginning) => store.readEvents({ ...filter, orgId, after, limit: 200 }));
        expect(asked(pages.flat())).toEqual(records);
        expectShort(pages);
      }
      const log = await readPages((after = '0') =>
        store.readLog({ orgId, threadId: 't1', after: Number(after), limit: 200 }),
      );
      expect(asked(log.flat())).toEqual(records);
      expectShort(log);
      const entries = Array.from({ length: 10 }, (_, n) => entryOf(n + 1, { data: large }));
      await commitAll(store, { ...newRun(runOf(idOf(1), 't1', { entries: 10 })), newEntries: entries });
      const journal = await readPages((after = '0') =>
        store.readJournal({ orgId, runId: idOf(1), after: Number(after), limit: 200 }),
      );
      expect(journal.flat()).toEqual(entries);
      expectShort(journal);
    });

    test('[L20] a record larger than 4 MB is a page by itself', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'));
      const records = ['small', 'x'.repeat(5_000_000), 'small'].map((body, n) =>
        interactionOf(idOf(n), 't1', { body }),
      );
      for (const record of records) await commitAll(store, newInteraction(record));
      const pages = await readPages((cursor) => store.listInteractions({ orgId, limit: 9, ...defined({ cursor }) }));
      expect(pages).toEqual(records.map((record) => [record]));
    });
  });
};
