/** Promises of deliveries: each is read as it was last written, listed by webhook and status, page by page in both orders. */
import { type Delivery, type DeliveryStatus, defined } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import type { DeliveryChange, Store } from '../store.ts';
import { type Cases, commitAll, expectConflict, readPages } from './opened-store.ts';
import { at, deliveryOf, idOf, orgId } from './records.fixture.ts';

const webhookId = 'w1';
const statuses: DeliveryStatus[] = ['pending', 'delivered', 'dead'];

const settled = (record: Delivery): DeliveryChange => ({ record, from: 'pending' });

export const deliveryCases: Cases = (opened) => {
  /** Forty deliveries of two webhooks, every third of them settled, and one of another org. */
  async function fill(store: Store): Promise<Delivery[]> {
    const made = Array.from({ length: 40 }, (_, n) => deliveryOf(idOf(n), { webhookId: n % 4 ? 'w1' : 'w2' }));
    await commitAll(store, { orgId, newDeliveries: made }, { orgId: 'other', newDeliveries: made.slice(0, 9) });
    const all = made.map((delivery, n): Delivery => {
      const status = statuses[n % 3] ?? 'pending';
      return status === 'pending' ? delivery : { ...delivery, status, settledAt: at };
    });
    await commitAll(store, { orgId, changedDeliveries: all.map(settled) });
    return all.filter((delivery) => delivery.webhookId === webhookId);
  }

  const list = (more: Partial<Parameters<Store['listDeliveries']>[0]> = {}) =>
    opened().store.listDeliveries({ orgId, webhookId, order: 'oldest', limit: 100, ...more });

  describe('deliveries', () => {
    test('[S1] one is read as it was last written, by its webhook', async () => {
      const { store } = opened();
      const made = deliveryOf(idOf(1));
      const attempt = { at, durationMs: 3, status: 500, error: 'a\u0000b 🙂 "\\' };
      const changed: Delivery = { ...made, attempts: [attempt], nextAttemptAt: at };
      await commitAll(store, { orgId, newDeliveries: [made, { ...made, webhookId: 'w2' }] });
      await commitAll(store, { orgId, changedDeliveries: [settled(changed)] });
      const get = (more = {}) => store.getDelivery({ orgId, webhookId, id: idOf(1), ...more });
      expect(await get()).toEqual(changed);
      expect(await get({ webhookId: 'w2' })).toEqual({ ...made, webhookId: 'w2' });
      expect(await get({ id: idOf(2) })).toBeUndefined();
      expect(await list({ status: 'pending' })).toEqual({ items: [changed] });
    });

    test('[L4] every status and order lists exactly the matching deliveries, in pages of any size', async () => {
      const { store } = opened();
      const all = await fill(store);
      for (const status of [undefined, ...statuses])
        for (const order of ['oldest', 'newest'] as const)
          for (const limit of [1, 4, 10, 30, 100]) {
            const wanted = all.filter((delivery) => (status ?? delivery.status) === delivery.status);
            const pages = await readPages((cursor) =>
              list({ order, limit, ...defined({ status }), ...defined({ cursor }) }),
            );
            expect(pages.flat()).toEqual(order === 'oldest' ? wanted : wanted.toReversed());
            expect(pages.every((page) => page.length > 0 && page.length <= limit)).toBe(true);
          }
    });

    test('[L4] a cursor may be an id that is not there, and nothing else', async () => {
      const { store } = opened();
      const all = await fill(store);
      // Twelve belongs to another webhook, and ninety-nine does not exist.
      const after = all.filter(({ id }) => id > idOf(12));
      expect((await list({ cursor: idOf(12) })).items).toEqual(after);
      expect((await list({ cursor: idOf(12), order: 'newest' })).items).toEqual(
        all.filter(({ id }) => id < idOf(12)).toReversed(),
      );
      expect((await list({ cursor: idOf(12), status: 'dead' })).items).toEqual(
        after.filter(({ status }) => status === 'dead'),
      );
      expect(await list({ cursor: idOf(99) })).toEqual({ items: [] });
      expect((await list({ cursor: idOf(99), order: 'newest' })).items).toEqual(all.toReversed());
      for (const cursor of ['', 'x', `${idOf(1)} `])
        await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid-cursor' });
    });

    test('[X2] a status or a webhook that is a piece of SQL fits nothing', async () => {
      await fill(opened().store);
      const sly = "x' OR '1' = '1";
      for (const more of [{ status: sly as DeliveryStatus }, { webhookId: sly }])
        expect(await list(more)).toEqual({ items: [] });
    });

    test('[S2] a page of two hundred is saved with how far its reader has come, or not at all', async () => {
      const { store } = opened();
      const page = (from: number) => Array.from({ length: 200 }, (_, n) => deliveryOf(idOf(from + n)));
      const reader = { type: 'reader', id: webhookId } as const;
      const first = {
        orgId,
        newDeliveries: page(0),
        documents: [{ ...reader, record: { cursor: '1' }, expected: null }],
      };
      await commitAll(store, first);
      await expectConflict(store, { ...first, newDeliveries: page(1_000) });
      const dead = page(0).map((delivery) => ({ ...delivery, status: 'dead' as const }));
      const changedDeliveries = dead.map(settled);
      await expectConflict(store, { ...first, newDeliveries: [], changedDeliveries });
      expect((await list({ limit: 1_000 })).items).toEqual(page(0));
      await commitAll(store, { orgId, changedDeliveries });
      expect((await list({ limit: 1_000, status: 'dead' })).items).toEqual(dead);
    });

    test('[WH7] one is changed from the status that was met, and otherwise left as it is without a conflict', async () => {
      const { store } = opened();
      const made = deliveryOf(idOf(1));
      const change = (from: DeliveryStatus, status: DeliveryStatus) =>
        commitAll(store, { orgId, changedDeliveries: [{ record: { ...made, status }, from }] });
      await commitAll(store, { orgId, newDeliveries: [made] });
      let stored: DeliveryStatus = 'pending';
      for (const from of [...statuses, ...statuses.toReversed()])
        for (const status of statuses) {
          await change(from, status);
          if (from === stored) stored = status;
          expect((await list()).items).toEqual([{ ...made, status: stored }]);
        }
    });

    test('[S1] many changes of one webhook at once are all saved', async () => {
      const { store } = opened();
      const made = Array.from({ length: 300 }, (_, n) => deliveryOf(idOf(n)));
      await Promise.all(made.map((delivery) => commitAll(store, { orgId, newDeliveries: [delivery] })));
      const changed = made.map((delivery) => ({ ...delivery, status: 'delivered' as const }));
      await Promise.all(changed.map((record) => commitAll(store, { orgId, changedDeliveries: [settled(record)] })));
      expect((await list({ limit: 1_000 })).items).toEqual(changed);
    });
  });
};
