/** Promises of the log: events are numbered without a gap, listeners get them in order after the commit, and any cursor can be read. */
import { defined, type EventFilter, type EventType, type FreeObject, type LogEvent } from '@holdpoint/protocol';
import { describe, expect, test, vi } from 'vitest';
import type { Change, EventHead, Store } from '../store.ts';
import { beginning, type Cases, commitAll, readEvents, readPages } from './opened-store.ts';
import { at, eventOf, idOf, interactionOf, newInteraction, newThread, nextVersion, orgId } from './records.fixture.ts';

const headOf = ({ cursor, threadId, seq, type, interactionId }: LogEvent, org = orgId): EventHead => ({
  cursor,
  orgId: org,
  threadId,
  seq,
  type,
  ...defined({ interactionId }),
});

export const logCases: Cases = (opened) => {
  const readAll = (store: Store, filter: EventFilter = {}, org = orgId) =>
    readEvents(store, { ...filter, orgId: org, after: beginning, limit: 10_000 });

  /** A log with several threads, interactions and types, and another org in between. */
  async function fill(store: Store): Promise<void> {
    for (const org of [orgId, 'other'])
      for (const threadId of ['t1', 't2']) await commitAll(store, newThread(threadId, org));
    for (let n = 1; n <= 12; n++) {
      const record = interactionOf(idOf(n), n % 3 ? 't1' : 't2');
      const org = n % 4 ? orgId : 'other';
      await commitAll(store, newInteraction(record, org), nextVersion(record, {}, org));
    }
  }

  describe('numbering', () => {
    test('[L2] hundreds of commits at once number the events of every thread without a gap', async () => {
      const { store } = opened();
      const threads = ['a', 'b', 'c', 'd', 'e', 'f'];
      await Promise.all(threads.flatMap((id) => [store.commit(newThread(id)), store.commit(newThread(id, 'other'))]));
      const changes = Array.from({ length: 600 }, (_, n): Change => {
        const threadId = threads[n % threads.length] ?? '';
        const events = Array.from({ length: 1 + (n % 3) }, (_, m) => eventOf('message.created', undefined, { n, m }));
        return { orgId: n % 5 ? orgId : 'other', log: { threadId, events } };
      });
      const committed = await Promise.all(changes.map((change) => store.commit(change)));
      expect(committed.every(({ ok }) => ok)).toBe(true);
      for (const org of [orgId, 'other'])
        for (const threadId of threads) {
          const log = (await store.readLog({ orgId: org, threadId, after: 0, limit: 1_000 })).items;
          expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
          const said = log.slice(1).map(({ data }) => data);
          const sent = changes.filter((change) => change.orgId === org && change.log?.threadId === threadId);
          expect(said).toHaveLength(sent.flatMap(({ log: given }) => given?.events ?? []).length);
          // The events of one change stay together and in their order.
          for (const [index, { n, m }] of (said as unknown as FreeObject[]).entries())
            if (Number(m) > 0) expect(said[index - 1]).toEqual({ n, m: Number(m) - 1 });
        }
    });

    test('[L2] a refused change takes no number', async () => {
      const { store } = opened();
      const record = interactionOf(idOf(1), 't1');
      await commitAll(store, newThread('t1'), newInteraction(record));
      await Promise.all(Array.from({ length: 20 }, () => store.commit(nextVersion(record))));
      await commitAll(store, { orgId, log: { threadId: 't1', events: [eventOf('message.created')] } });
      const log = (await store.readLog({ orgId, threadId: 't1', after: 0, limit: 100 })).items;
      expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    });

    test('[L1] an event comes back as it was written', async () => {
      const { store } = opened();
      const data = {
        text: 'a\u0000b 🙂 \ud800 "\\',
        nested: { deep: [1, null, true] },
        ...JSON.parse('{"__proto__": {"a": 1}}'),
      };
      await commitAll(store, newThread('t1'));
      const [head] = await commitAll(store, {
        orgId,
        log: { threadId: 't1', events: [eventOf('interaction.created', idOf(1), data)] },
      });
      const [, event] = (await store.readLog({ orgId, threadId: 't1', after: 0, limit: 9 })).items;
      expect(event).toEqual({
        ...eventOf('interaction.created', idOf(1), data),
        cursor: head?.cursor,
        threadId: 't1',
        seq: 2,
        at,
      });
      expect(JSON.stringify(event?.data)).toBe(JSON.stringify(data));
    });
  });

  describe('written', () => {
    test('[L1][L3] listeners get every committed event once, in log order, when it can be read', async () => {
      const { store } = opened();
      const seen: EventHead[] = [];
      const reads: Promise<void>[] = [];
      store.onCommitted((heads) => {
        seen.push(...heads);
        for (const head of heads) reads.push(expectReadable(store, head));
      });
      const threads = ['a', 'b', 'c'];
      const records = Array.from({ length: 120 }, (_, n) => interactionOf(idOf(n), threads[n % 3] ?? ''));
      await commitAll(store, ...threads.map((id) => newThread(id)));
      const created = await Promise.all(records.map((record) => store.commit(newInteraction(record))));
      const changed = await Promise.all(
        records.flatMap((record) => [store.commit(nextVersion(record)), store.commit(nextVersion(record))]),
      );
      await vi.waitFor(() => expect(seen).toHaveLength(3 + 120 + 120));
      await Promise.all(reads);
      expect(seen).toEqual((await readAll(store)).map((event) => headOf(event)));
      expect(seen.map(({ cursor }) => cursor)).toEqual(seen.map(({ cursor }) => cursor).toSorted());
      const answered = [...created, ...changed].flatMap((committed) => (committed.ok ? committed.events : []));
      const byCursor = (a: EventHead, b: EventHead) => (a.cursor < b.cursor ? -1 : 1);
      expect(answered.toSorted(byCursor)).toEqual(seen.slice(3));
    });

    async function expectReadable(store: Store, head: EventHead): Promise<void> {
      const log = store.readLog({ orgId, threadId: head.threadId, after: head.seq - 1, limit: 1 });
      const record = head.interactionId ? store.getInteraction({ orgId, id: head.interactionId }) : undefined;
      const newest = store.headCursor();
      expect((await log).items.map((event) => headOf(event))).toEqual([head]);
      if (head.type === 'interaction.updated') expect((await record)?.version).toBe(2);
      expect((await newest) >= head.cursor).toBe(true);
    }

    test('[L1] a removed listener gets no more events, and the others still do', async () => {
      const { store } = opened();
      const [first, second]: EventHead[][] = [[], []];
      const stop = store.onCommitted((heads) => first?.push(...heads));
      store.onCommitted((heads) => second?.push(...heads));
      const seen = () => [first?.length, second?.length];
      await commitAll(store, newThread('t1'));
      await vi.waitFor(() => expect(seen()).toEqual([1, 1]));
      stop();
      await commitAll(store, newThread('t2'));
      await vi.waitFor(() => expect(seen()).toEqual([1, 2]));
    });
  });

  describe('reading', () => {
    test('[L3] an org reads its own events, all of them, in log order', async () => {
      const { store } = opened();
      await fill(store);
      const [mine, theirs] = [await readAll(store), await readAll(store, {}, 'other')];
      expect([mine.length, theirs.length]).toEqual([20, 8]);
      expect(mine.map(({ cursor }) => cursor)).toEqual(mine.map(({ cursor }) => cursor).toSorted());
      expect(new Set([...mine, ...theirs].map(({ cursor }) => cursor)).size).toBe(28);
    });

    test.each([1, 3, 20])('[L3][L4] pages of %d have no gap and no repetition', async (limit) => {
      const { store } = opened();
      await fill(store);
      const pages = await readPages((after = beginning) => store.readEvents({ orgId, after, limit }));
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
      expect(pages.flat()).toEqual(await readAll(store));
    });

    const types: EventType[] = ['interaction.updated', 'thread.created'];
    test.each<EventFilter>([
      { threadId: 't1' },
      { threadId: 'none' },
      { interactionId: idOf(3) },
      { interactionId: idOf(4) },
      { types },
      { types: ['grant.revoked'] },
      { threadId: 't2', types },
      { threadId: 't1', interactionId: idOf(2) },
      { threadId: 't2', interactionId: idOf(2) },
      { threadId: 't1', interactionId: idOf(2), types },
      { interactionId: idOf(2), types },
    ])('[L6] the filter %o leaves events out and changes nothing else', async (filter) => {
      const { store } = opened();
      await fill(store);
      const wanted = (await readAll(store)).filter(
        (event) =>
          (filter.threadId ?? event.threadId) === event.threadId &&
          (filter.interactionId ?? event.interactionId) === event.interactionId &&
          (filter.types ?? [event.type]).includes(event.type),
      );
      expect(await readAll(store, filter)).toEqual(wanted);
      const [first, ...rest] = wanted;
      if (first) expect(await readEvents(store, { ...filter, orgId, after: first.cursor, limit: 100 })).toEqual(rest);
      expect(await readEvents(store, { ...filter, orgId, after: beginning, limit: 1 })).toEqual(wanted.slice(0, 1));
    });

    test('[L4] a read after the newest cursor returns only later events', async () => {
      const { store } = opened();
      expect(await store.headCursor()).toBe(beginning);
      await fill(store);
      const after = await store.headCursor();
      expect(await store.readEvents({ orgId, after, limit: 10 })).toEqual({ items: [] });
      const [head] = await commitAll(store, newThread('later'));
      expect((await readEvents(store, { orgId, after, limit: 10 })).map((event) => headOf(event))).toEqual([head]);
      expect(await store.headCursor()).toBe(head?.cursor);
    });

    test.each([
      '',
      'x',
      '12',
      '-000000000000001',
      '0000000000000001 ',
      '00000000000000001',
      '9999999999999999',
      '0x00000000000001',
    ])('[L4] %j, which no event could have, is refused', async (after) => {
      const { store } = opened();
      await fill(store);
      await expect(store.readEvents({ orgId, after, limit: 1 })).rejects.toMatchObject({ code: 'invalid-cursor' });
    });

    test('[L4] a cursor from beyond the end is refused', async () => {
      const { store } = opened();
      await fill(store);
      const beyond = (await store.headCursor()).replace(/^0/, '1');
      for (const filter of [{}, { threadId: 't1' }])
        await expect(store.readEvents({ ...filter, orgId, after: beyond, limit: 1 })).rejects.toMatchObject({
          code: 'invalid-cursor',
        });
    });

    test("[L2] a thread's log is read from any number on", async () => {
      const { store } = opened();
      await fill(store);
      const readFrom = async (after: number, limit: number) =>
        (await store.readLog({ orgId, threadId: 't1', after, limit })).items;
      const seqs = (await readFrom(0, 100)).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, n) => n + 1));
      expect((await readFrom(3, 2)).map(({ seq }) => seq)).toEqual([4, 5]);
      expect(await readFrom(1_000, 2)).toEqual([]);
    });
  });
};
