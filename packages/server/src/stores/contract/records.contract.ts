/** Promises of the other records: grants, keys, secrets. Each org has its own. */
import type { Grant, GrantCoverage } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import type { Store } from '../store.ts';
import { beginning, type Cases, commitAll, expectConflict, winnersOf } from './opened-store.ts';
import {
  apiKeyOf,
  at,
  coverage,
  deliveryOf,
  entryOf,
  grantOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  messageOf,
  newInteraction,
  newThread,
  nextVersion,
  orgId,
  runOf,
  threadOf,
} from './records.fixture.ts';

const now = Date.parse(at);
const time = (offsetMs: number) => new Date(now + offsetMs).toISOString();

export const recordCases: Cases = (opened) => {
  test('[S1] records come back as they were written, whatever is in them', async () => {
    const { store } = opened();
    const metadata = {
      text: 'a\u0000b 🙂 \ud800 "\\',
      deep: [1, null, true],
      ...JSON.parse('{"__proto__": {"a": 1}}'),
    };
    const record = interactionOf(idOf(1), 't1', { metadata, title: "'; DROP TABLE interactions; --" });
    await commitAll(store, { ...newThread('t1'), newThread: { ...threadOf('t1'), metadata } }, newInteraction(record));
    await commitAll(store, { orgId, newSecrets: { interactionId: idOf(1), values: metadata } });
    const read = await store.getInteraction({ orgId, id: idOf(1) });
    expect(JSON.stringify(read)).toBe(JSON.stringify(record));
    expect(await store.getInteractionText({ orgId, id: idOf(1) })).toBe(JSON.stringify(record));
    expect(JSON.stringify((await store.getThread({ orgId, id: 't1' }))?.metadata)).toBe(JSON.stringify(metadata));
    expect(JSON.stringify(await store.getSecrets({ orgId, interactionId: idOf(1) }))).toBe(JSON.stringify(metadata));
  });

  test('[S1] a record of a megabyte comes back whole', async () => {
    const { store } = opened();
    const record = interactionOf(idOf(1), 't1', { body: 'é🙂'.repeat(170_000) });
    await commitAll(store, newThread('t1'), newInteraction(record));
    expect(await store.getInteraction({ orgId, id: idOf(1) })).toEqual(record);
  });

  test('[S1] of many look-ups at the same time each gets its own record', async () => {
    const { store } = opened();
    const mine = interactionOf(idOf(1), 't1', { title: 'Mine' });
    const theirs = interactionOf(idOf(1), 't1', { title: 'Theirs' });
    await commitAll(store, newThread('t1'), newThread('t1', 'other'), newInteraction(mine));
    await commitAll(store, newInteraction(theirs, 'other'));
    const wanted = [idOf(2), idOf(1), 'a\u0000b', '', idOf(1)];
    const looked = [orgId, 'other'].flatMap((org) => wanted.map((id) => store.getInteraction({ orgId: org, id })));
    const none = undefined;
    expect(await Promise.all(looked)).toEqual([none, mine, none, none, mine, none, theirs, none, none, theirs]);
  });

  describe('orgs', () => {
    test('[X2] no read returns a record of another org', async () => {
      const { store } = opened();
      await commitAll(store, newThread('t1'), newInteraction(interactionOf(idOf(1), 't1')), {
        orgId,
        documents: [{ type: 'reader', id: idOf(1), record: { cursor: '1' }, expected: null, alias: 'a' }],
        newDeliveries: [deliveryOf(idOf(1))],
        timers: [{ kind: 'stream', id: 't1', dueAt: now }],
        newMessage: messageOf(idOf(1), 't1'),
        run: { record: runOf(idOf(1), 't1'), expectedVersion: 0 },
        newEntries: [entryOf(1)],
        newGrant: grantOf(idOf(1)),
        newSecrets: { interactionId: idOf(1), values: { pin: 1 } },
        newApiKey: apiKeyOf(idOf(1)),
        idempotency: idempotencyRecordOf('k'),
      });
      const reads = readsOf(store, 'other');
      for (const [name, read] of Object.entries(reads)) expect([name, await read]).toEqual([name, emptyOf(await read)]);
      for (const [name, read] of Object.entries(readsOf(store, orgId)))
        expect([name, await read]).not.toEqual([name, emptyOf(await read)]);
    });

    const readsOf = (store: Store, org: string) => ({
      getThread: store.getThread({ orgId: org, id: 't1' }),
      listThreads: store.listThreads({ orgId: org, limit: 9 }),
      getInteraction: store.getInteraction({ orgId: org, id: idOf(1) }),
      getInteractionText: store.getInteractionText({ orgId: org, id: idOf(1) }),
      listInteractions: store.listInteractions({ orgId: org, limit: 9 }),
      listInteractionsOfThread: store.listInteractions({ orgId: org, threadId: 't1', status: 'pending', limit: 9 }),
      countInteractions: store.countInteractions({ orgId: org, limit: 9 }).then(({ count }) => count || undefined),
      getMessage: store.getMessage({ orgId: org, id: idOf(1) }),
      listMessages: store.listMessages({ orgId: org, threadId: 't1', order: 'oldest', limit: 9 }),
      getRun: store.getRun({ orgId: org, id: idOf(1) }),
      listRuns: store.listRuns({ orgId: org, order: 'oldest', limit: 9 }),
      readJournal: store.readJournal({ orgId: org, runId: idOf(1), after: 0, limit: 9 }),
      getGrant: store.getGrant({ orgId: org, id: idOf(1) }),
      findGrants: store.findGrants({ orgId: org, key: 'deploy', covers: coverage, threadId: 't1', now, limit: 9 }),
      listGrants: store.listGrants({ orgId: org, limit: 9 }),
      listGrantsByKey: store.listGrants({ orgId: org, key: 'deploy', limit: 9 }),
      getSecrets: store.getSecrets({ orgId: org, interactionId: idOf(1) }),
      findIdempotency: store.findIdempotency({ orgId: org, key: 'k' }),
      getDocument: store.getDocument({ orgId: org, type: 'reader', id: idOf(1) }),
      findDocument: store.findDocument({ orgId: org, type: 'reader', alias: 'a' }),
      listDocuments: store.listDocuments({ orgId: org, type: 'reader', limit: 9 }),
      getDelivery: store.getDelivery({ orgId: org, webhookId: 'w1', id: idOf(1) }),
      listDeliveries: store.listDeliveries({ orgId: org, webhookId: 'w1', order: 'oldest', limit: 9 }),
      nextDueAt: store.nextDueAt({ kind: 'stream', orgId: org }),
      claimDue: store.claimDue({ kind: 'stream', orgId: org, now, limit: 9, forMs: 1 }),
      getApiKey: store.getApiKey({ orgId: org, id: idOf(1) }),
      listApiKeys: store.listApiKeys({ orgId: org, limit: 9 }),
      readLog: store.readLog({ orgId: org, threadId: 't1', after: 0, limit: 9 }),
      readEvents: store.readEvents({ orgId: org, after: beginning, limit: 9 }),
      readEventsOfThread: store.readEvents({ orgId: org, threadId: 't1', after: beginning, limit: 9 }),
      readEventsOfInteraction: store.readEvents({ orgId: org, interactionId: idOf(1), after: beginning, limit: 9 }),
    });

    const emptyOf = (read: unknown) =>
      Array.isArray(read) ? [] : typeof read === 'object' && read && 'items' in read ? { items: [] } : undefined;

    test('[X2] the same ids in two orgs are two things', async () => {
      const { store } = opened();
      const record = interactionOf(idOf(1), 't1');
      await commitAll(store, newThread('t1'), newThread('t1', 'other'), newInteraction(record));
      await commitAll(store, newInteraction({ ...record, title: 'Theirs' }, 'other'));
      await commitAll(store, nextVersion(record, { title: 'Mine' }));
      expect(await store.getInteraction({ orgId: 'other', id: idOf(1) })).toMatchObject({
        title: 'Theirs',
        version: 1,
      });
      await commitAll(store, { orgId, newGrant: grantOf(idOf(1)), newSecrets: { interactionId: idOf(1), values: {} } });
      await expectConflict(store, { orgId: 'other', closedGrant: grantOf(idOf(1)) });
      await expectConflict(store, { orgId: 'other', takenSecrets: { interactionId: idOf(1) } });
      const timers = [{ kind: 'stream', id: 't1', dueAt: now } as const];
      const newDeliveries = [deliveryOf(idOf(1))];
      await commitAll(store, { orgId, timers, newDeliveries }, { orgId: 'other', timers, newDeliveries });
      await commitAll(store, { orgId: 'other', timers: [{ kind: 'stream', id: 't1', dueAt: null }] });
      const dead = deliveryOf(idOf(1), { status: 'dead' });
      await commitAll(store, { orgId: 'other', changedDeliveries: [{ record: dead, from: 'pending' }] });
      expect(await store.nextDueAt({ kind: 'stream' })).toBe(now);
      expect(await store.getDelivery({ orgId, webhookId: 'w1', id: idOf(1) })).toMatchObject({ status: 'pending' });
      expect(await store.commit({ ...newThread('t2', 'other'), newThread: threadOf('t3') })).toEqual({
        ok: false,
        reason: 'no-thread',
      });
    });

    test('[X6] the first key of a new org belongs to it, not to the org that made it', async () => {
      const { store } = opened();
      const newApiKey = apiKeyOf(idOf(1), { orgId: 'new' });
      await commitAll(store, { orgId, newOrg: { id: 'new', createdAt: at }, newApiKey });
      expect(await store.findApiKey({ hash: newApiKey.hash })).toEqual(newApiKey);
      expect(await store.getApiKey({ orgId: 'new', id: idOf(1) })).toEqual(newApiKey);
      expect(await store.getApiKey({ orgId, id: idOf(1) })).toBeUndefined();
      expect(await store.getOrg({ id: 'new' })).toEqual({ id: 'new', createdAt: at });
      expect(await store.getOrg({ id: 'newer' })).toBeUndefined();
    });
  });

  describe('API keys', () => {
    test('[X5] a changed key is found with its new record', async () => {
      const { store } = opened();
      const newApiKey = apiKeyOf(idOf(1));
      const revoked = { ...newApiKey, record: { ...newApiKey.record, revokedAt: at } };
      const expected = newApiKey.record;
      await commitAll(store, { orgId, newApiKey }, { orgId, changedApiKey: { ...revoked, expected } });
      expect(await store.findApiKey({ hash: newApiKey.hash })).toEqual(revoked);
      expect(await store.listApiKeys({ orgId, limit: 9 })).toEqual({ items: [revoked.record] });
      expect(await store.findApiKey({ hash: 'none' })).toBeUndefined();
    });

    test('[X5] of several that change the same record of a key one does', async () => {
      const { store } = opened();
      const newApiKey = apiKeyOf(idOf(1));
      const { record: expected } = newApiKey;
      const revoked = { ...newApiKey, record: { ...expected, revokedAt: at }, expected };
      const renamed = { ...newApiKey, record: { ...expected, name: 'renamed' }, expected };
      await expectConflict(store, { orgId, changedApiKey: renamed });
      await commitAll(store, { orgId, newApiKey });
      const changes = [revoked, renamed, renamed].map((changedApiKey) => ({ orgId, changedApiKey }));
      expect(await winnersOf(store, changes)).toEqual([0]);
      await expectConflict(store, { orgId, changedApiKey: renamed });
      expect(await store.findApiKey({ hash: newApiKey.hash })).toMatchObject({ record: { name: 'ci', revokedAt: at } });
    });
  });

  describe('grants', () => {
    type Wanted = { key?: string; covers?: GrantCoverage; runId?: string; now?: number; limit?: number };
    const find = async (more: Wanted = {}) => {
      const place = { orgId, key: 'deploy', covers: coverage, threadId: 't1', now, limit: 100 };
      const found = await opened().store.findGrants({ ...place, ...more });
      return found.map(({ id }) => Number(id.slice(-12)));
    };
    const give = (...grants: Partial<Grant>[]) =>
      commitAll(opened().store, ...grants.map((grant, n) => ({ orgId, newGrant: grantOf(idOf(n + 1), grant) })));

    test('[G2] those of the org, the thread and the run are found, newest first', async () => {
      await give(
        {},
        { scope: 'thread' },
        { scope: 'thread', threadId: 't2' },
        { scope: 'run', runId: 'r1' },
        { key: 'x' },
        {},
      );
      expect(await find()).toEqual([6, 2, 1]);
      expect(await find({ runId: 'r1' })).toEqual([6, 4, 2, 1]);
      expect(await find({ runId: 'r2' })).toEqual([6, 2, 1]);
      expect(await find({ runId: 'r1', limit: 2 })).toEqual([6, 4]);
      expect(await find({ key: 'x' })).toEqual([5]);
    });

    test('[G20] only those that cover exactly the same are found', async () => {
      const other = { ...coverage, arguments: { command: 'rm -rf /' } };
      const { covers: _none, ...bare } = grantOf(idOf(4));
      await give({}, { covers: other }, { covers: { ...coverage, variable: [] }, scope: 'thread' });
      await commitAll(opened().store, { orgId, newGrant: bare });
      expect(await find()).toEqual([1]);
      expect(await find({ covers: other })).toEqual([2]);
      expect(await find({ covers: { ...coverage, variable: [] } })).toEqual([3]);
      // The order of its properties does not matter.
      const turned = Object.fromEntries(Object.entries(coverage).toReversed()) as unknown as GrantCoverage;
      expect(await find({ covers: turned })).toEqual([1]);
      expect(await opened().store.getGrant({ orgId, id: idOf(4) })).toEqual(bare);
    });

    test('[G3] those past their time are not found', async () => {
      await give({ expiresAt: time(1) }, { expiresAt: time(0) }, { expiresAt: time(-1) }, {});
      expect(await find()).toEqual([4, 1]);
      expect(await find({ now: now + 1 })).toEqual([4]);
    });

    test('[G3] a closed one is not found, and is closed once', async () => {
      const { store } = opened();
      await give({}, {});
      const closedGrant = { ...grantOf(idOf(1)), revokedAt: at };
      const committed = await Promise.all([store.commit({ orgId, closedGrant }), store.commit({ orgId, closedGrant })]);
      expect(committed.map(({ ok }) => ok)).toEqual([true, false]);
      expect(await find()).toEqual([2]);
      expect(await store.getGrant({ orgId, id: idOf(1) })).toEqual(closedGrant);
    });

    test('[G2] hundreds of grants with another scope do not hide one with this scope', async () => {
      const elsewhere = Array.from(
        { length: 300 },
        (_, n): Partial<Grant> => ({ scope: 'thread', threadId: `other${n}` }),
      );
      const over = Array.from({ length: 150 }, (): Partial<Grant> => ({ expiresAt: time(0) }));
      await give({ scope: 'thread' }, ...elsewhere, ...over);
      expect(await find()).toEqual([1]);
    });

    test('[G2] the newest thousand of a scope are looked at, expired ones among them', async () => {
      const over = Array.from({ length: 999 }, (): Partial<Grant> => ({ expiresAt: time(0) }));
      await give({}, {}, ...over);
      expect(await find()).toEqual([2]);
    });
  });

  test('[S1] the first to offer a setting settles it, for good', async () => {
    const { store, reopen } = opened();
    const offers = await Promise.all(['a', 'b', 'c'].map((value) => store.getOrCreateMeta({ key: 'k', value })));
    expect(new Set(offers).size).toBe(1);
    expect(await store.getOrCreateMeta({ key: 'k', value: 'z' })).toBe(offers[0]);
    expect(await store.getOrCreateMeta({ key: 'other', value: 'z' })).toBe('z');
    expect(await (await reopen()).getOrCreateMeta({ key: 'k', value: 'y' })).toBe(offers[0]);
  });
};
