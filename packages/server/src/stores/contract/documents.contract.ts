/** Promises of documents: one winner for each revision, a revision only once, one document for each alias. */
import { defined } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import type { DocumentChange } from '../documents.ts';
import type { Change } from '../store.ts';
import { type Cases, commitAll, expectConflict, readPages, winnersOf } from './opened-store.ts';
import { eventOf, idOf, newThread, orgId } from './records.fixture.ts';

const type = 'reader';
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const set = (
  id: string,
  cursor: string | null,
  expected: string | null,
  more: Partial<DocumentChange<'reader'>> = {},
): DocumentChange<'reader'> => ({ type, id, record: cursor === null ? null : { cursor }, expected, ...more });

const change = (...documents: DocumentChange[]): Change => ({ orgId, documents });

export const documentCases: Cases = (opened) => {
  const get = (id = 'd1') => opened().store.getDocument({ orgId, type, id });
  const find = (alias: string) => opened().store.findDocument({ orgId, type, alias });
  const revisionOf = async (id = 'd1') => (await get(id))?.revision ?? null;
  const commit = (...documents: DocumentChange[]) => commitAll(opened().store, change(...documents));
  const refuse = (...documents: DocumentChange[]) => expectConflict(opened().store, change(...documents));

  describe('documents', () => {
    test('[S1] a document is created, changed and removed with its revision', async () => {
      expect(await get()).toBeUndefined();
      await commit(set('d1', 'a', null));
      const made = await get();
      expect(made).toEqual({ id: 'd1', revision: expect.any(String), record: { cursor: 'a' } });
      await commit(set('d1', 'b', await revisionOf()));
      const changed = await get();
      expect(changed).toEqual({ id: 'd1', revision: expect.any(String), record: { cursor: 'b' } });
      expect(changed?.revision).not.toBe(made?.revision);
      await commit(set('d1', null, await revisionOf()));
      expect(await get()).toBeUndefined();
    });

    test('[AN4] a change that expects another revision changes nothing', async () => {
      await refuse(set('d1', 'a', 'none'));
      await refuse(set('d1', null, 'none'));
      await commit(set('d1', null, null));
      await commit(set('d1', 'a', null));
      const first = await revisionOf();
      await commit(set('d1', 'b', first));
      for (const expected of [first, null, '', 'none']) {
        await refuse(set('d1', 'c', expected));
        await refuse(set('d1', null, expected));
      }
      expect(await get()).toMatchObject({ record: { cursor: 'b' } });
    });

    test('[S2] if one of several documents was changed meanwhile, nothing of the change is written', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), change(set('d1', 'a', null), set('d2', 'a', null)));
      const [one, two] = [await revisionOf('d1'), await revisionOf('d2')];
      await commit(set('d2', 'b', two));
      await expectConflict(store, {
        ...change(set('d1', 'c', one), set('d3', 'c', null), set('d2', 'c', two)),
        log: { threadId: 't1', events: [eventOf('message.created')] },
      });
      expect([await revisionOf('d1'), await revisionOf('d3')]).toEqual([one, null]);
      expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 9 })).items).toHaveLength(1);
    });

    test('[AN4] of twenty at once that expect one revision exactly one is saved', async () => {
      const { store } = opened();
      const made = await winnersOf(
        store,
        times(20, (n) => change(set('d1', `made ${n}`, null))),
      );
      expect(made).toHaveLength(1);
      expect(await get()).toMatchObject({ record: { cursor: `made ${made[0]}` } });
      for (const isRemoved of [false, true]) {
        const expected = await revisionOf();
        const won = await winnersOf(
          store,
          times(20, (n) => change(set('d1', isRemoved && n % 2 ? null : `${n}`, expected))),
        );
        expect(won).toHaveLength(1);
        const isGone = isRemoved && Number(won[0]) % 2 === 1;
        expect((await get())?.record).toEqual(isGone ? undefined : { cursor: `${won[0]}` });
      }
    });

    test('[AN4] of changes in many threads, each with the same document, exactly one is saved', async () => {
      const { store } = opened();
      await commitAll(store, ...times(20, (n) => newThread(`t${n}`)), change(set('d1', 'a', null)));
      const expected = await revisionOf();
      const won = await winnersOf(
        store,
        times(20, (n) => ({
          ...change(set(`own ${n}`, 'a', null), set('d1', `${n}`, expected)),
          log: { threadId: `t${n}`, events: [eventOf('message.created')] },
        })),
      );
      expect(won).toHaveLength(1);
      expect(await get()).toMatchObject({ record: { cursor: `${won[0]}` } });
      const said = await Promise.all(times(20, (n) => store.readLog({ orgId, threadId: `t${n}`, after: 1, limit: 9 })));
      expect(said.flatMap(({ items }, n) => (items.length > 0 ? [n] : []))).toEqual(won);
    });

    test('[AN2] a revision never repeats, even if the document is removed and created again', async () => {
      const revisions: (string | null)[] = [];
      for (let round = 0; round < 5; round++) {
        await commit(set('d1', 'the same', null));
        revisions.push(await revisionOf());
        await commit(set('d1', 'the same', await revisionOf()));
        revisions.push(await revisionOf());
        await commit(set('d1', null, await revisionOf()));
      }
      expect(new Set(revisions).size).toBe(10);
      await commit(set('d1', 'the same', null));
      for (const expected of revisions) await refuse(set('d1', 'stale', expected));
    });

    test('[S1] an alias finds its document for as long as the document has it', async () => {
      await commit(set('d1', 'a', null, { alias: 'one' }), set('d2', 'a', null));
      expect(await find('one')).toEqual(await get());
      await commit(set('d1', 'b', await revisionOf(), { alias: 'two' }));
      expect([await find('one'), await find('two')]).toEqual([undefined, await get()]);
      await commit(set('d1', 'c', await revisionOf(), { alias: 'two' }));
      expect(await find('two')).toEqual(await get());
      await commit(set('d1', 'd', await revisionOf()));
      expect(await find('two')).toBeUndefined();
      await commit(set('d1', 'e', await revisionOf(), { alias: 'three' }));
      await commit(set('d1', null, await revisionOf()));
      expect(await find('three')).toBeUndefined();
      await commit(set('d2', 'b', await revisionOf('d2'), { alias: 'three' }));
      expect(await find('three')).toEqual(await get('d2'));
    });

    test('[AN4] an alias is one document’s: of many that want it at once one gets it', async () => {
      const { store } = opened();
      await commit(set('d1', 'a', null, { alias: 'one' }));
      await refuse(set('d2', 'a', null, { alias: 'one' }));
      const won = await winnersOf(
        store,
        times(20, (n) => change(set(`x${n}`, 'a', null, { alias: 'two' }))),
      );
      expect(won).toHaveLength(1);
      expect((await find('two'))?.id).toBe(`x${won[0]}`);
      await commitAll(store, { ...change(set('d1', 'theirs', null, { alias: 'one' })), orgId: 'other' });
      expect((await find('one'))?.record).toEqual({ cursor: 'a' });
    });

    test('[S1] a record is read as it was written, with any id and any content', async () => {
      const text = 'b 🙂 "\\ é '.repeat(9);
      await commit(set("'; DROP TABLE documents; --", text, null, { alias: text }));
      expect(await get("'; DROP TABLE documents; --")).toMatchObject({ record: { cursor: text } });
      expect(await find(text)).toMatchObject({ id: "'; DROP TABLE documents; --" });
    });

    test('[L4] they are listed in the order of ids, page by page, from any text on', async () => {
      const { store } = opened();
      const ids = ['m', 'z', 'a', idOf(2), 'k', 'b b', idOf(1)];
      await commit(...ids.map((id) => set(id, `of ${id}`, null)));
      await commitAll(store, { ...change(set('other', 'a', null)), orgId: 'other' });
      for (const limit of [1, 3, 7, 9]) {
        const pages = await readPages((cursor) => store.listDocuments({ orgId, type, limit, ...defined({ cursor }) }));
        expect(pages.flat().map(({ id }) => id)).toEqual(ids.toSorted());
        expect(pages.flat()).toEqual(await Promise.all(ids.toSorted().map(get)));
      }
      const { items } = await store.listDocuments({ orgId, type, limit: 2, cursor: 'c, which is not there' });
      expect(items.map(({ id }) => id)).toEqual(['k', 'm']);
      expect(await store.listDocuments({ orgId, type: 'stream', limit: 9 })).toEqual({ items: [] });
    });

    test('[S1] they are there after reopening', async () => {
      const { store, reopen } = opened();
      await commit(set('d1', 'a', null, { alias: 'one' }));
      const before = await get();
      const again = await reopen();
      expect(await again.findDocument({ orgId, type, alias: 'one' })).toEqual(before);
      expect(store).not.toBe(again);
      await commitAll(again, change(set('d1', 'b', before?.revision ?? null)));
    });
  });
};
