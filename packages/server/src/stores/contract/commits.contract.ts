/** Promises of a commit: whole or not at all, one winner, once per idempotency key. */
import { describe, expect, test } from 'vitest';
import type { Change, TimerKind } from '../store.ts';
import { type Cases, commitAll, expectConflict, winnersOf } from './opened-store.ts';
import {
  apiKeyOf,
  at,
  deliveryOf,
  entryOf,
  eventOf,
  grantOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  messageOf,
  newInteraction,
  newThread,
  nextThread,
  nextVersion,
  orgId,
  runOf,
  threadOf,
} from './records.fixture.ts';

const interaction = interactionOf(idOf(1), 't1');

/** A timer of which is the only one of its kind. */
const kindOf = (n: number): TimerKind => (n === 1 ? 'stream' : 'webhook');

/** One of everything a change can make, with numbers of its own. */
const everything = (n: number, threadId: string): Change => ({
  orgId,
  newOrg: { id: `org${n}`, createdAt: at },
  newThread: threadOf(threadId),
  newMessage: messageOf(idOf(n), threadId),
  interaction: { record: interactionOf(idOf(n), threadId), expectedVersion: 0 },
  run: { record: runOf(idOf(n), threadId), expectedVersion: 0 },
  newEntries: [entryOf(n)],
  newGrant: grantOf(idOf(n), { key: `key${n}` }),
  newSecrets: { interactionId: idOf(n), values: { pin: n } },
  newApiKey: apiKeyOf(idOf(n)),
  documents: [{ type: 'reader', id: idOf(n), record: { cursor: `${n}` }, expected: null }],
  timers: [{ kind: kindOf(n), id: idOf(n), dueAt: n }],
  newDeliveries: [deliveryOf(idOf(n))],
  log: { threadId, events: [eventOf('thread.created'), eventOf('interaction.created', idOf(n))] },
  idempotency: idempotencyRecordOf(`key${n}`),
});

export const commitCases: Cases = (opened) => {
  const everythingOf = async (n: number, threadId: string) => {
    const { store } = opened();
    const id = idOf(n);
    return Promise.all([
      store.getOrg({ id: `org${n}` }),
      store.getThread({ orgId, id: threadId }),
      store.getMessage({ orgId, id }),
      store.getInteraction({ orgId, id }),
      store.getRun({ orgId, id }),
      store.readJournal({ orgId, runId: id, after: 0, limit: 9 }).then(({ items: [entry] }) => entry),
      store.getGrant({ orgId, id }),
      store.getSecrets({ orgId, interactionId: id }),
      store.findApiKey({ hash: `hash of ${id}` }),
      store.findIdempotency({ orgId, key: `key${n}` }),
      store.getDocument({ orgId, type: 'reader', id }).then((document) => document?.record),
      store.nextDueAt({ kind: kindOf(n), orgId }),
      store.getDelivery({ orgId, webhookId: 'w1', id }),
      store.readLog({ orgId, threadId, after: 0, limit: 10 }).then(({ items }) => items.map(({ type }) => type)),
    ]);
  };
  const nothing = [...Array(13).fill(undefined), []];

  describe('whole or not at all', () => {
    test('[S2][L1] all parts of a change are saved together', async () => {
      await commitAll(opened().store, everything(1, 't1'));
      expect(await everythingOf(1, 't1')).toEqual([
        { id: 'org1', createdAt: at },
        threadOf('t1'),
        messageOf(idOf(1), 't1'),
        interactionOf(idOf(1), 't1'),
        runOf(idOf(1), 't1'),
        entryOf(1),
        grantOf(idOf(1), { key: 'key1' }),
        { pin: 1 },
        apiKeyOf(idOf(1)),
        idempotencyRecordOf('key1'),
        { cursor: '1' },
        1,
        deliveryOf(idOf(1)),
        ['thread.created', 'interaction.created'],
      ]);
    });

    const madeBy = (n: number) => everything(n, 't2').documents ?? [];
    const { newThread: _thread, ...inThread } = everything(2, 'nowhere');
    test.each<[string, Change, string]>([
      ['a thread that is there already', { ...everything(2, 't2'), newThread: threadOf('t1') }, 'conflict'],
      ['an org that is there already', { ...everything(2, 't2'), newOrg: { id: 'org1', createdAt: at } }, 'conflict'],
      ['an API key that is there already', { ...everything(2, 't2'), newApiKey: apiKeyOf(idOf(1)) }, 'conflict'],
      [
        'an interaction that is there already',
        { ...everything(2, 't2'), interaction: { record: interaction, expectedVersion: 0 } },
        'conflict',
      ],
      [
        'an older version',
        { ...everything(2, 't2'), interaction: { record: { ...interaction, version: 3 }, expectedVersion: 2 } },
        'conflict',
      ],
      [
        'a version of what is not there',
        { ...everything(2, 't2'), interaction: { record: interactionOf(idOf(9), 't1'), expectedVersion: 1 } },
        'conflict',
      ],
      [
        'an older version of a thread',
        { ...everything(2, 't2'), changedThread: { record: threadOf('t1', { version: 2 }), expectedVersion: 2 } },
        'conflict',
      ],
      [
        'a version of a thread that is not there',
        { ...everything(2, 't2'), changedThread: { record: threadOf('t9', { version: 2 }), expectedVersion: 1 } },
        'conflict',
      ],
      [
        'a run that is there already',
        { ...everything(2, 't2'), run: { record: runOf(idOf(1), 't2'), expectedVersion: 0 } },
        'conflict',
      ],
      [
        'another run that is open',
        { ...everything(2, 't2'), run: { record: runOf(idOf(2), 't1'), expectedVersion: 0 } },
        'conflict',
      ],
      [
        'an older version of a run',
        { ...everything(2, 't2'), run: { record: runOf(idOf(1), 't1', { version: 3 }), expectedVersion: 2 } },
        'conflict',
      ],
      ['a grant that is not there', { ...everything(2, 't2'), closedGrant: grantOf(idOf(9)) }, 'conflict'],
      ['secrets that are not there', { ...everything(2, 't2'), takenSecrets: { interactionId: idOf(9) } }, 'conflict'],
      [
        'a document that is there already',
        { ...everything(2, 't2'), documents: [...madeBy(2), ...madeBy(1)] },
        'conflict',
      ],
      ['a log of no thread', inThread, 'no-thread'],
      ['a key that was used', { ...everything(2, 't2'), idempotency: idempotencyRecordOf('key1') }, 'repeated'],
    ])('[S2] a change refused because of %s changes nothing', async (_why, change, reason) => {
      const { store } = opened();
      await commitAll(store, everything(1, 't1'));
      const before = await everythingOf(1, 't1');
      expect(await store.commit(change)).toMatchObject({ ok: false, reason });
      expect(await everythingOf(2, change.log?.threadId ?? '')).toEqual(nothing);
      expect(await everythingOf(1, 't1')).toEqual(before);
    });

    test('[S2][S3] a change that cannot be written does not fail those that arrive with it', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), newInteraction(interaction));
      const message = messageOf(idOf(7), 't1');
      await commitAll(store, { orgId, newMessage: message });
      const changes = Array.from({ length: 200 }, (_, n) => newInteraction(interactionOf(idOf(100 + n), 't1')));
      // The id of a message is new each time, so no verb can meet a double one; a store that does can only fail.
      const unwritable = { ...newInteraction(interactionOf(idOf(99), 't1')), newMessage: { ...message, role: 'user' } };
      changes.splice(77, 0, unwritable as Change);
      const settled = await Promise.allSettled(changes.map((change) => store.commit(change)));
      const failed = settled.flatMap((result, n) => (result.status === 'rejected' ? [[n, result.reason.code]] : []));
      expect(failed).toEqual([[77, 'storage-unavailable']]);
      expect(await store.getInteraction({ orgId, id: idOf(99) })).toBeUndefined();
      expect(await store.getMessage({ orgId, id: message.id })).toEqual(message);
      const log = (await store.readLog({ orgId, threadId: 't1', after: 0, limit: 300 })).items;
      expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 202 }, (_, n) => n + 1));
    });
  });

  describe('one winner', () => {
    test('[AN4][AN10] of fifty changes of one version at once exactly one is saved', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), newInteraction(interaction));
      const changes = Array.from({ length: 50 }, (_, n) => nextVersion(interaction, { title: `by ${n}` }));
      const committed = await Promise.all(changes.map((change) => store.commit(change)));
      const won = committed.flatMap(({ ok }, n) => (ok ? [n] : []));
      expect(won).toHaveLength(1);
      expect(committed.filter(({ ok }) => !ok)).toEqual(Array(49).fill({ ok: false, reason: 'conflict' }));
      expect(await store.getInteraction({ orgId, id: interaction.id })).toMatchObject({
        version: 2,
        title: `by ${won[0]}`,
      });
      expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 100 })).items).toHaveLength(3);
    });

    test('[AN4] of fifty that make the same thread at once exactly one does', async () => {
      const { store } = opened();
      const committed = await Promise.all(Array.from({ length: 50 }, () => store.commit(newThread('t1'))));
      expect(committed.filter(({ ok }) => ok)).toHaveLength(1);
    });

    test('[AN2] a version that was overtaken stays a conflict', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), newInteraction(interaction), nextVersion(interaction));
      await expectConflict(store, nextVersion(interaction));
      await expectConflict(store, newInteraction(interaction));
    });

    test('[T2] of fifty changes of one version of a thread at once exactly one is saved', async () => {
      const { store } = opened();
      const before = threadOf('t1');
      await commitAll(store, newThread('t1'), newThread('t1', 'other'));
      for (let version = 1; version < 4; version++) {
        const from = { ...before, version };
        const changes = Array.from({ length: 50 }, (_, n) => nextThread(from, { title: `by ${n}` }));
        const won = await winnersOf(store, changes);
        expect(won).toHaveLength(1);
        const now = { ...from, version: version + 1, title: `by ${won[0]}` };
        expect(await store.getThread({ orgId, id: 't1' })).toEqual(now);
        expect(await store.listThreads({ orgId, limit: 9 })).toEqual({ items: [now] });
      }
      await expectConflict(store, nextThread(before));
      expect(await store.getThread({ orgId: 'other', id: 't1' })).toEqual(before);
      expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 100 })).items).toHaveLength(4);
    });

    test('[M2] a message is changed with the rest of its change, or not at all', async () => {
      const { store } = opened();
      const begun = messageOf(idOf(1), 't1', { state: 'streaming' });
      const record = { threadId: 't1', text: 'Hel', updatedAt: at };
      await commitAll(
        store,
        newThread('t1'),
        { orgId, newMessage: begun, documents: [{ type: 'stream', id: begun.id, record, expected: null }] },
        { orgId: 'other', newMessage: begun },
      );
      const { revision = '' } = (await store.getDocument({ orgId, type: 'stream', id: begun.id })) ?? {};
      const end = (n: number, expected: string): Change => ({
        orgId,
        changedMessage: messageOf(idOf(1), 't1', { metadata: { n } }),
        documents: [{ type: 'stream', id: begun.id, record: null, expected }],
        log: { threadId: 't1', events: [eventOf('message.completed')] },
      });
      await expectConflict(store, end(0, 'another'));
      expect(await store.getMessage({ orgId, id: begun.id })).toEqual(begun);
      const [won] = await winnersOf(
        store,
        Array.from({ length: 20 }, (_, n) => end(n, revision)),
      );
      expect(await store.getMessage({ orgId, id: begun.id })).toEqual(
        messageOf(idOf(1), 't1', { metadata: { n: won } }),
      );
      expect(await store.getMessage({ orgId: 'other', id: begun.id })).toEqual(begun);
      expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 100 })).items).toHaveLength(2);
    });

    test('[AN9] secrets are taken by exactly one of many', async () => {
      const { store } = opened();
      const values = { pin: 'hush' };
      await commitAll(store, newThread('t1'), { orgId, newSecrets: { interactionId: idOf(1), values } });
      expect(await store.getSecrets({ orgId, interactionId: idOf(1) })).toEqual(values);
      const take: Change = { orgId, takenSecrets: { interactionId: idOf(1) } };
      const committed = await Promise.all(Array.from({ length: 20 }, () => store.commit(take)));
      expect(committed.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await store.getSecrets({ orgId, interactionId: idOf(1) })).toBeUndefined();
      await expectConflict(store, take);
    });
  });

  describe('idempotency', () => {
    const idempotencyRecords = (n: number, key = 'k', org = orgId): Change => ({
      ...newInteraction(interactionOf(idOf(n), 't1'), org),
      idempotency: idempotencyRecordOf(key, idOf(n)),
    });

    test('[I1] of many with one key at once exactly one is done, and the others learn of it', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'));
      const committed = await Promise.all(
        Array.from({ length: 30 }, (_, n) => store.commit(idempotencyRecords(n + 1))),
      );
      const done = committed.findIndex(({ ok }) => ok);
      const earlier = idempotencyRecordOf('k', idOf(done + 1));
      expect(committed.toSpliced(done, 1)).toEqual(Array(29).fill({ ok: false, reason: 'repeated', earlier }));
      expect(await store.findIdempotency({ orgId, key: 'k' })).toEqual(earlier);
      expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 100 })).items).toHaveLength(2);
    });

    test('[I1] a repeat is reported as a repeat, even if it would be a conflict', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), idempotencyRecords(1));
      expect(await store.commit(idempotencyRecords(1))).toMatchObject({ reason: 'repeated' });
    });

    test('[I2] a repeat gets the fingerprint of the first call to compare', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), idempotencyRecords(1));
      const other = {
        ...idempotencyRecords(2),
        idempotency: { ...idempotencyRecordOf('k', idOf(2)), fingerprint: 'another' },
      };
      expect(await store.commit(other)).toEqual({
        ok: false,
        reason: 'repeated',
        earlier: idempotencyRecordOf('k', idOf(1)),
      });
    });

    test('[I2] a key means nothing in another org', async () => {
      const { store } = opened();
      await commitAll(
        store,
        newThread('t1'),
        newThread('t1', 'other'),
        idempotencyRecords(1),
        idempotencyRecords(2, 'k', 'other'),
      );
      expect((await store.findIdempotency({ orgId: 'other', key: 'k' }))?.resource.id).toBe(idOf(2));
    });

    test('[I3] a refused change does not use up its key', async () => {
      const { store } = opened();
      expect(await store.commit(idempotencyRecords(1))).toEqual({ ok: false, reason: 'no-thread' });
      await commitAll(store, newThread('t1'));
      await expectConflict(store, { ...idempotencyRecords(1), newThread: threadOf('t1') });
      expect(await store.findIdempotency({ orgId, key: 'k' })).toBeUndefined();
      await commitAll(store, idempotencyRecords(1));
    });
  });
};
