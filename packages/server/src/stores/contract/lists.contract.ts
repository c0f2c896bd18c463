/** Promises of lists: every matching row, once, in order, page by page. */
import { defined, type Interaction, type InteractionFilter } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import type { Change, Outcome, Store } from '../store.ts';
import { type Cases, commitAll, expectConflict, readPages } from './opened-store.ts';
import { onlyOfJavaScript } from './outcomes-before.fixture.ts';
import {
  apiKeyOf,
  at,
  grantOf,
  idOf,
  interactionOf,
  messageOf,
  newInteraction,
  newThread,
  nextVersion,
  orgId,
  threadOf,
} from './records.fixture.ts';

const options = {
  status: [undefined, 'pending', 'answered', 'cancelled', 'expired'],
  threadId: [undefined, 't1', 't2'],
  kind: [undefined, 'input', 'form'],
  runId: [undefined, 'r1'],
  assignee: [undefined, 'ann'],
} as const;

const filters: InteractionFilter[] = options.status.flatMap((status) =>
  options.threadId.flatMap((threadId) =>
    options.kind.flatMap((kind) =>
      options.runId.flatMap((runId) =>
        options.assignee.map((assignee) => given({ status, threadId, kind, runId, assignee })),
      ),
    ),
  ),
);

function given(filter: Record<string, string | undefined>): InteractionFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

export const listCases: Cases = (opened) => {
  /** Forty interactions that differ in everything there is a filter for, committed out of the order of their ids. */
  async function fill(store: Store): Promise<Interaction[]> {
    await commitAll(store, newThread('t1'), newThread('t2'), newThread('t1', 'other'));
    const records: Interaction[] = [];
    for (let n = 0; n < 40; n++) {
      const pending = interactionOf(idOf((n * 17) % 40), n % 3 ? 't1' : 't2', {
        kind: n % 2 ? 'form' : 'input',
        ...(n % 5 ? {} : { run: { id: 'r1' } }),
        ...(n % 7 > 2 ? {} : { responder: { type: 'human', assignees: n % 7 > 1 ? ['ben'] : ['ann', 'ben', 'ann'] } }),
      });
      const status = options.status[1 + (n % 4)] ?? 'pending';
      await commitAll(store, newInteraction(pending));
      if (status !== 'pending') await commitAll(store, nextVersion(pending, { status }));
      records.push({ ...pending, status, version: status === 'pending' ? 1 : 2 });
    }
    await commitAll(store, newInteraction(interactionOf(idOf(0), 't1'), 'other'));
    return records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  const fits = (record: Interaction, { status, threadId, kind, runId, assignee }: InteractionFilter) =>
    (status ?? record.status) === record.status &&
    (threadId ?? record.threadId) === record.threadId &&
    (kind ?? record.kind) === record.kind &&
    (runId ?? record.run?.id) === record.run?.id &&
    (assignee === undefined ||
      (record.status === 'pending' && (record.responder.assignees?.includes(assignee) ?? false)));

  describe('lists', () => {
    test('[X2] every filter lists exactly the matching interactions, in both orders', async () => {
      const { store } = opened();
      const all = await fill(store);
      expect(filters).toHaveLength(180);
      for (const filter of filters) {
        const wanted = all.filter((record) => fits(record, filter));
        const read = (order?: 'oldest' | 'newest') =>
          store.listInteractions({ ...filter, orgId, limit: 100, ...defined({ order }) });
        expect(await read()).toEqual({ items: wanted });
        expect(await read('oldest')).toEqual({ items: wanted });
        expect(await read('newest')).toEqual({ items: wanted.toReversed() });
      }
    });

    test('[X2][N8] every filter finds a question whose text only JavaScript accepts in JSON', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'));
      const asked = onlyOfJavaScript().map((text, n) =>
        interactionOf(idOf(n), 't1', {
          ...{ title: text, metadata: { [text]: text }, run: { id: 'r1' }, kind: 'form' },
          responder: { type: 'human', assignees: ['ann'] },
        }),
      );
      await commitAll(store, ...asked.map((record) => newInteraction(record)));
      const all = { orgId, status: 'pending', threadId: 't1', kind: 'form', runId: 'r1', assignee: 'ann' } as const;
      for (const name of ['status', 'threadId', 'kind', 'runId', 'assignee'] as const) {
        for (const filter of [all, { orgId, [name]: all[name] }]) {
          expect(await store.listInteractions({ ...filter, limit: 9 })).toEqual({ items: asked });
          expect(await store.countInteractions({ ...filter, limit: 9 })).toEqual({ count: asked.length });
        }
      }
      await commitAll(store, nextVersion(asked[0] as Interaction, { status: 'answered' }));
      expect(await store.listInteractions({ orgId, assignee: 'ann', limit: 9 })).toEqual({ items: asked.slice(1) });
    });

    test('[PE36] an assignee who was removed no longer finds the question', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'));
      const asked = [1, 2].map((n) =>
        interactionOf(idOf(n), 't1', { responder: { type: 'human', assignees: ['ann', 'ben', 'ann'] } }),
      );
      await commitAll(store, ...asked.map((record) => newInteraction(record)));
      const [first, second] = asked as [Interaction, Interaction];
      const remove = (before: Interaction, assignees: string[], unassigned: string[]): Change => {
        const change = nextVersion(before, { responder: { type: 'human', assignees } });
        const { record = before, expectedVersion = 0 } = change.interaction ?? {};
        return { ...change, interaction: { record, expectedVersion, unassigned } };
      };
      const found = async (assignee: string) =>
        (await store.listInteractions({ orgId, assignee, limit: 9 })).items.map(({ id }) => id);
      await expectConflict(store, remove({ ...first, version: 7 }, ['ben'], ['ann']));
      expect(await found('ann')).toEqual([first.id, second.id]);
      await commitAll(store, remove(first, ['ben'], ['ann']));
      expect([await found('ann'), await found('ben')]).toEqual([[second.id], [first.id, second.id]]);
      await commitAll(store, remove({ ...first, version: 2 }, [], ['ben']));
      expect([await found('ann'), await found('ben')]).toEqual([[second.id], [second.id]]);
      expect(await store.countInteractions({ orgId, assignee: 'ann', limit: 9 })).toEqual({ count: 1 });
    });

    test.each([1, 7, 40])('[L4] pages of %d interactions leave none out and give none twice', async (limit) => {
      const { store } = opened();
      const all = await fill(store);
      for (const filter of [
        {},
        { status: 'pending' },
        { threadId: 't1' },
        { runId: 'r1' },
        { assignee: 'ann' },
      ] as InteractionFilter[])
        for (const order of ['oldest', 'newest'] as const) {
          const wanted = all.filter((record) => fits(record, filter));
          const pages = await readPages((cursor) =>
            store.listInteractions({ ...filter, orgId, order, limit, ...defined({ cursor }) }),
          );
          expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
          expect(pages.every((page) => page.length > 0 && page.length <= limit)).toBe(true);
        }
    });

    test('[C1] every filter counts the interactions that it lists, up to the limit', async () => {
      const { store } = opened();
      const all = await fill(store);
      for (const filter of filters) {
        const wanted = all.filter((record) => fits(record, filter)).length;
        expect(await store.countInteractions({ ...filter, orgId, limit: 100 })).toEqual({ count: wanted });
        const upToThree = wanted < 3 ? { count: wanted } : { count: 3, isPartial: true };
        expect(await store.countInteractions({ ...filter, orgId, limit: 3 })).toEqual(upToThree);
      }
      expect(await store.countInteractions({ orgId: 'other', limit: 100 })).toEqual({ count: 1 });
      expect(await store.countInteractions({ orgId: 'nobody', limit: 100 })).toEqual({ count: 0 });
    });

    test('[C5] a count of archived threads, and one of all others, add up to that of both', async () => {
      const { store } = opened();
      const all = await fill(store);
      const metadata = Object.fromEntries(onlyOfJavaScript().map((text) => [text, { [text]: text, archivedAt: 'no' }]));
      const threads = [
        threadOf('t2', { version: 2, archivedAt: at, metadata }),
        threadOf('t1', { version: 2, metadata: { ...metadata, archivedAt: 'no' } }),
      ];
      for (const record of threads) await commitAll(store, { orgId, changedThread: { record, expectedVersion: 1 } });
      for (const filter of filters) {
        const wanted = all.filter((record) => fits(record, filter));
        const count = async (archived: 'true' | 'false') =>
          (await store.countInteractions({ ...filter, archived, orgId, limit: 100 })).count;
        const isArchived = ({ threadId }: Interaction) => threadId === 't2';
        expect(await count('true')).toBe(wanted.filter(isArchived).length);
        expect(await count('false')).toBe(wanted.length - wanted.filter(isArchived).length);
      }
    });

    test('[C2] an offset skips rows after the cursor, in both orders, and the next pages continue from there', async () => {
      const { store } = opened();
      const all = await fill(store);
      for (const filter of [
        {},
        { status: 'pending' },
        { threadId: 't1' },
        { runId: 'r1' },
        { assignee: 'ann' },
      ] as InteractionFilter[])
        for (const order of ['oldest', 'newest'] as const) {
          const fitting = all.filter((record) => fits(record, filter));
          const wanted = order === 'oldest' ? fitting : fitting.toReversed();
          const list = (more: Partial<InteractionFilter>, limit = 100) =>
            store.listInteractions({ ...filter, orgId, order, limit, ...more });
          for (const offset of [0, 1, 2, wanted.length - 1, wanted.length, wanted.length + 1, 10_000])
            expect(await list({ offset })).toEqual({ items: wanted.slice(offset) });
          const cursor = wanted[1]?.id ?? '';
          expect(await list({ cursor, offset: 2 })).toEqual({ items: wanted.slice(4) });
          const { items, next } = await list({ offset: 2 }, 1);
          expect(items).toEqual(wanted.slice(2, 3));
          if (next !== undefined) expect(await list({ cursor: next })).toEqual({ items: wanted.slice(3) });
        }
    });

    test('[C3] outcomes are listed newest first, between two ids, with status and waiting time', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), newThread('t1', 'other'));
      const vote = {
        id: 'v',
        decision: 'accepted',
        values: {},
        by: { type: 'human', id: 'ann', via: 'token' },
        at,
      } as const;
      const closing = { closedAt: '2030-01-01T00:01:30.250Z' };
      const ends: [Partial<Interaction>, Omit<Outcome, 'id'>][] = [
        [{}, { status: 'pending', isDeclined: false }],
        [
          { status: 'answered', answer: vote, ...closing },
          { status: 'answered', isDeclined: false, waitMs: 90_250 },
        ],
        [
          { status: 'answered', answer: { ...vote, decision: 'declined' }, ...closing },
          { status: 'answered', isDeclined: true, waitMs: 90_250 },
        ],
        [
          { status: 'answered', answer: { ...vote, decision: 'declined', automatic: 'deadline' }, ...closing },
          { status: 'answered', isDeclined: true },
        ],
        [
          { status: 'answered', answer: { ...vote, automatic: 'resolution' }, closedAt: at },
          { status: 'answered', isDeclined: false, waitMs: 0 },
        ],
        [
          { status: 'expired', ...closing },
          { status: 'expired', isDeclined: false },
        ],
        [
          { status: 'cancelled', ...closing },
          { status: 'cancelled', isDeclined: false },
        ],
      ];
      for (const [n, [end]] of ends.entries()) {
        const pending = interactionOf(idOf(n), 't1');
        await commitAll(store, newInteraction(pending), ...(n > 0 ? [nextVersion(pending, end)] : []));
      }
      // One that a grant has answered is closed from the start.
      const granted = { status: 'answered', answer: { ...vote, automatic: 'grant' }, ...closing } as const;
      await commitAll(store, newInteraction(interactionOf(idOf(7), 't1', granted)));
      await commitAll(store, newInteraction(interactionOf(idOf(8), 't1'), 'other'));
      ends.push([granted, { status: 'answered', isDeclined: false }]);
      const wanted: Outcome[] = ends.map(([, outcome], n) => ({ id: idOf(n), ...outcome })).toReversed();
      const list = (more: { from?: string; before?: string; limit?: number } = {}) =>
        store.listOutcomes({ orgId, from: '', before: 'g', limit: 100, ...more });
      expect(await list()).toEqual(wanted);
      expect(await list({ limit: 3 })).toEqual(wanted.slice(0, 3));
      expect(await list({ from: idOf(2), before: idOf(5) })).toEqual(wanted.slice(3, 6));
      expect(await list({ from: idOf(9) })).toEqual([]);
    });

    test('[M1] messages of a thread are listed by their ids, in both orders, page by page', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), newThread('t2'), newThread('t1', 'other'));
      const messages = Array.from({ length: 20 }, (_, n) => messageOf(idOf((n * 7) % 20), n % 4 ? 't1' : 't2'));
      for (const newMessage of messages) await commitAll(store, { orgId, newMessage });
      await commitAll(store, { orgId: 'other', newMessage: messageOf(idOf(50), 't1') });
      const wanted = messages.filter(({ threadId }) => threadId === 't1').toSorted((a, b) => (a.id < b.id ? -1 : 1));
      for (const order of ['oldest', 'newest'] as const)
        for (const limit of [1, 4, 15, 99]) {
          const pages = await readPages((cursor) =>
            store.listMessages({ orgId, threadId: 't1', order, limit, ...defined({ cursor }) }),
          );
          expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
        }
      const none = store.listMessages({ orgId, threadId: 't9', order: 'oldest', limit: 9 });
      expect(await none).toEqual({ items: [] });
      const odd = store.listMessages({ orgId, threadId: 't1', order: 'oldest', limit: 9, cursor: 'nonsense' });
      await expect(odd).rejects.toMatchObject({ code: 'invalid-cursor' });
    });

    test('[L4] records that are added between two pages move no other record', async () => {
      const { store } = opened();
      const all = await fill(store);
      let added = 1_000;
      const pages = await readPages(async (cursor) => {
        await commitAll(store, newInteraction(interactionOf(idOf(added++), 't1')));
        return store.listInteractions({ orgId, order: 'newest', limit: 9, ...defined({ cursor }) });
      });
      expect(pages.flat().slice(1)).toEqual(all.toReversed());
    });

    test('[X2] a status or an id that is a piece of SQL fits nothing', async () => {
      const { store } = opened();
      await fill(store);
      const sly = "x' OR '1' = '1";
      for (const filter of [{ status: sly }, { threadId: sly }, { kind: sly }, { runId: sly }])
        for (const more of [{}, { offset: 1 }])
          expect(await store.listInteractions({ ...(filter as InteractionFilter), ...more, orgId, limit: 9 })).toEqual({
            items: [],
          });
    });

    test('[L4] threads are listed newest first, whatever their ids', async () => {
      const { store } = opened();
      const ids = ['m', 'z', 'a', 'k', 'b'];
      for (const id of ids) await commitAll(store, newThread(id), newThread(id, 'other'));
      for (const limit of [1, 2, 5, 9]) {
        const pages = await readPages((cursor) => store.listThreads({ orgId, limit, ...defined({ cursor }) }));
        expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
      }
    });

    test('[G4] grants are listed newest first, closed ones too, and by key', async () => {
      const { store } = opened();
      const grants = Array.from({ length: 9 }, (_, n) => grantOf(idOf(n), { key: n % 3 ? 'deploy' : 'delete' }));
      for (const newGrant of grants) await commitAll(store, { orgId, newGrant }, { orgId: 'other', newGrant });
      const closedGrant = { ...grantOf(idOf(3), { key: 'delete' }), revokedAt: '2030-01-02T00:00:00.000Z' };
      await commitAll(store, { orgId, closedGrant });
      const wanted = grants.with(3, closedGrant).toReversed();
      for (const key of [undefined, 'deploy', 'delete', 'none'])
        for (const limit of [1, 2, 9]) {
          const pages = await readPages((cursor) =>
            store.listGrants({ orgId, limit, ...defined({ key }), ...defined({ cursor }) }),
          );
          expect(pages.flat()).toEqual(wanted.filter((grant) => (key ?? grant.key) === grant.key));
        }
    });

    test('[X5] API keys are listed in the order they were made', async () => {
      const { store } = opened();
      const keys = Array.from({ length: 7 }, (_, n) => apiKeyOf(idOf(n)));
      for (const newApiKey of keys) await commitAll(store, { orgId, newApiKey });
      await commitAll(store, { orgId: 'other', newApiKey: apiKeyOf(idOf(99), { orgId: 'other' }) });
      for (const limit of [1, 3, 9]) {
        const pages = await readPages((cursor) => store.listApiKeys({ orgId, limit, ...defined({ cursor }) }));
        expect(pages.flat()).toEqual(keys.map(({ record }) => record));
      }
    });
  });
};
