/** Promises of opening and closing: nothing acknowledged is lost, and nothing is left half done. */
import { describe, expect, test } from 'vitest';
import type { EventHead, Store } from '../store.ts';
import { beginning, type Cases, commitAll, readEvents } from './opened-store.ts';
import {
  eventOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  newInteraction,
  newThread,
  nextVersion,
  orgId,
} from './records.fixture.ts';

export const lifeCases: Cases = (opened) => {
  const readAll = (store: Store) => readEvents(store, { orgId, after: beginning, limit: 10_000 });

  describe('opening and closing', () => {
    test('[S1][L2] acknowledged changes are there exactly once after reopening, and the log continues', async () => {
      const { store, reopen } = opened();
      const record = interactionOf(idOf(1), 't1');
      await commitAll(store, newThread('t1'), newInteraction(record), {
        ...nextVersion(record),
        idempotency: idempotencyRecordOf('k'),
      });
      const [log, head] = [await readAll(store), await store.headCursor()];
      const again = await reopen();
      expect(await again.getInteraction({ orgId, id: idOf(1) })).toEqual({ ...record, version: 2 });
      expect(await again.findIdempotency({ orgId, key: 'k' })).toEqual(idempotencyRecordOf('k'));
      expect([await readAll(again), await again.headCursor()]).toEqual([log, head]);
      const [next] = await commitAll(again, { orgId, log: { threadId: 't1', events: [eventOf('message.created')] } });
      expect(next?.seq).toBe(4);
      expect(next?.cursor && next.cursor > head).toBe(true);
    });

    test('[S1][S2] closing waits for commits under way, and the listeners get their events', async () => {
      const { store, reopen } = opened();
      const seen: EventHead[] = [];
      store.onCommitted((heads) => seen.push(...heads));
      await commitAll(store, newThread('t1'));
      const changes = Array.from({ length: 300 }, (_, n) => newInteraction(interactionOf(idOf(n), 't1')));
      const underWay = changes.map((change) => store.commit(change));
      await store.close();
      const committed = await Promise.all(underWay);
      expect(committed.every(({ ok }) => ok)).toBe(true);
      expect(seen).toHaveLength(301);
      expect(await readAll(await reopen())).toHaveLength(301);
    });

    test('[S2] after closing, a commit is refused and changes nothing', async () => {
      const { store, reopen } = opened();
      const underWay = store.commit(newThread('t1'));
      const closed = store.close();
      const refused = { code: 'storage-unavailable' };
      await expect(store.commit(newThread('t2'))).rejects.toMatchObject(refused);
      await closed;
      expect((await underWay).ok).toBe(true);
      await expect(store.commit(newThread('t3'))).rejects.toMatchObject(refused);
      await expect(store.getThread({ orgId, id: 't1' })).rejects.toThrow();
      await expect(store.checkReady()).rejects.toMatchObject(refused);
      const { items } = await (await reopen()).listThreads({ orgId, limit: 9 });
      expect(items.map(({ id }) => id)).toEqual(['t1']);
    });

    test('[H7] closing twice is closing once', async () => {
      const { store } = opened();
      await Promise.all([store.close(), store.close()]);
      await store.close();
    });

    test('[S1] an open store is ready', async () => {
      await expect(opened().store.checkReady()).resolves.toBeUndefined();
    });
  });
};
