/** The contract of lists for several assignees: the inbox of a person, with groups and questions for anyone. */
import { defined, type Interaction, type InteractionFilter } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { anyPerson, type Store } from '../store.ts';
import { type Cases, commitAll, readPages } from './opened-store.ts';
import { onlyOfJavaScript } from './outcomes-before.fixture.ts';
import { idOf, interactionOf, newInteraction, newThread, nextVersion, orgId } from './records.fixture.ts';

const responders: Interaction['responder'][] = [
  { type: 'human' },
  { type: 'any' },
  { type: 'agent' },
  { type: 'system' },
  { type: 'human', assignees: ['ann'] },
  { type: 'human', assignees: ['ann', 'staff', 'ann'] },
  { type: 'any', assignees: ['staff', 'ben'] },
  { type: 'human', assignees: ['ben'] },
  { type: 'human', assignees: [] },
];

const scopes = [[anyPerson], ['ann'], ['ann', 'staff'], ['staff', 'ann', 'ben', anyPerson], ['nobody'], []];

const isFor = ({ status, responder: { type, assignees } }: Interaction, names: readonly string[]): boolean =>
  status === 'pending' &&
  (assignees?.some((name) => names.includes(name)) ??
    (names.includes(anyPerson) && (type === 'human' || type === 'any')));

/** Every responder with every status, in two threads and of two kinds, committed out of the order of their ids. */
async function fill(store: Store): Promise<Interaction[]> {
  await commitAll(store, newThread('t1'), newThread('t2'), newThread('t1', 'other'));
  const records: Interaction[] = [];
  for (let n = 0; n < 63; n++) {
    const responder = responders[n % responders.length] as Interaction['responder'];
    const kind = n % 4 ? 'form' : 'input';
    const record = interactionOf(idOf((n * 17) % 63), n % 5 ? 't1' : 't2', { kind, responder });
    await commitAll(store, newInteraction(record));
    const status = n % 6 === 5 ? 'answered' : 'pending';
    if (status !== 'pending') await commitAll(store, nextVersion(record, { status }));
    records.push({ ...record, status, version: status === 'pending' ? 1 : 2 });
  }
  await commitAll(store, newInteraction(interactionOf(idOf(0), 't1'), 'other'));
  return records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const filters: InteractionFilter[] = [{}, { status: 'pending' }, { kind: 'form' }, { threadId: 't1', kind: 'input' }];

const fits = (record: Interaction, filter: InteractionFilter): boolean =>
  (filter.threadId ?? record.threadId) === record.threadId && (filter.kind ?? record.kind) === record.kind;

export const assigneeCases: Cases = (opened) => {
  describe('assignees', () => {
    test('[PE8] several assignees list each pending interaction once, in both orders, and count the same', async () => {
      const { store } = opened();
      const all = await fill(store);
      for (const assignees of scopes)
        for (const filter of filters) {
          const wanted = all.filter((record) => isFor(record, assignees) && fits(record, filter));
          const by = { ...filter, orgId, assignees };
          expect(await store.listInteractions({ ...by, limit: 100 })).toEqual({ items: wanted });
          const newest = await store.listInteractions({ ...by, order: 'newest', limit: 100 });
          expect(newest).toEqual({ items: wanted.toReversed() });
          expect(await store.countInteractions({ ...by, limit: 100 })).toEqual({ count: wanted.length });
          const upToThree = wanted.length < 3 ? { count: wanted.length } : { count: 3, isPartial: true };
          expect(await store.countInteractions({ ...by, limit: 3 })).toEqual(upToThree);
        }
    });

    test.each([1, 4, 30])('[PE8][L4] pages of %d interactions leave none out and give none twice', async (limit) => {
      const { store } = opened();
      const all = await fill(store);
      for (const assignees of scopes)
        for (const order of ['oldest', 'newest'] as const) {
          const wanted = all.filter((record) => isFor(record, assignees));
          const pages = await readPages((cursor) =>
            store.listInteractions({ assignees, orgId, order, limit, ...defined({ cursor }) }),
          );
          expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
        }
    });

    test('[PE8][C2] an offset skips each interaction once', async () => {
      const { store } = opened();
      const all = await fill(store);
      const assignees = ['staff', 'ann', 'ben', anyPerson];
      const wanted = all.filter((record) => isFor(record, assignees));
      for (const offset of [1, 5, wanted.length - 1, wanted.length, 1_000])
        expect(await store.listInteractions({ assignees, orgId, offset, limit: 100 })).toEqual({
          items: wanted.slice(offset),
        });
    });

    test('[PE8] counts of archived threads and of all others add up', async () => {
      const { store } = opened();
      const all = await fill(store);
      const assignees = ['ann', 'staff', anyPerson];
      const wanted = all.filter((record) => isFor(record, assignees));
      const of = async (archived: 'true' | 'false') => ({
        listed: (await store.listInteractions({ assignees, archived, orgId, limit: 100 })).items,
        ...(await store.countInteractions({ assignees, archived, orgId, limit: 100 })),
      });
      expect(await of('true')).toEqual({ listed: [], count: 0 });
      expect(await of('false')).toEqual({ listed: wanted, count: wanted.length });
    });

    test('[PE8] a question for anyone leaves the list when it closes, whatever its text', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'));
      const asked = onlyOfJavaScript().map((title, n) => interactionOf(idOf(n), 't1', { title }));
      await commitAll(store, ...asked.map((record) => newInteraction(record)));
      const by = { orgId, assignees: [anyPerson] };
      expect(await store.listInteractions({ ...by, limit: 99 })).toEqual({ items: asked });
      for (const [index, status] of (['answered', 'cancelled', 'expired'] as const).entries()) {
        const record = asked[index];
        if (record) await commitAll(store, nextVersion(record, { status }));
      }
      expect(await store.listInteractions({ ...by, limit: 99 })).toEqual({ items: asked.slice(3) });
      expect(await store.countInteractions({ ...by, limit: 99 })).toEqual({ count: Math.max(0, asked.length - 3) });
    });
  });
};
