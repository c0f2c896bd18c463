import type { Delivery } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { newDelivery } from './delivery.ts';
import { firstIdOf, replayPage } from './replay.ts';
import type { StoredWebhook } from './webhook.ts';

const idOf = (n: number): string => `0190000${n}-0000-7000-8000-000000000000`;
const delivery = (n: number, status: Delivery['status'], more: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery(
    { cursor: String(n), threadId: 't', seq: n, type: 'message.created' },
    { id: idOf(n), webhookId: 'w', now: 0 },
  ),
  status,
  ...more,
});
const items = [
  delivery(1, 'delivered'),
  delivery(2, 'dead'),
  delivery(3, 'pending'),
  delivery(4, 'dead', { replayedBy: 'x' }),
  delivery(5, 'dead'),
];

function page(includesDelivered: boolean, hasMore = false, before = idOf(9)) {
  let made = 0;
  const webhook = { replay: { includesDelivered, after: idOf(0), before } } as unknown as StoredWebhook;
  return replayPage(webhook, { items, hasMore, now: 0, newId: () => `new${++made}` });
}

test('[WH8] a replay repeats dead deliveries, and delivered ones if asked, unless they were replayed before', () => {
  expect(page(false).newDeliveries.map(({ replayOf }) => replayOf)).toEqual([idOf(2), idOf(5)]);
  expect(page(true).newDeliveries.map(({ replayOf }) => replayOf)).toEqual([idOf(1), idOf(2), idOf(5)]);
  const { newDeliveries, changedDeliveries } = page(false);
  expect(changedDeliveries.map(({ record, from }) => [record.id, record.replayedBy, from])).toEqual(
    newDeliveries.map(({ id, replayOf }) => [replayOf, id, 'dead']),
  );
  expect(newDeliveries[0]).toMatchObject({ status: 'pending', attempts: [], event: items[1]?.event });
});

test('[WH8] a replay continues after the last delivery of a page, and never repeats its own deliveries', () => {
  expect(page(false, true).stored.replay?.after).toBe(idOf(5));
  expect(page(false, false).stored.replay).toBeUndefined();
  const bounded = page(false, true, idOf(5));
  expect(bounded.newDeliveries.map(({ replayOf }) => replayOf)).toEqual([idOf(2)]);
  expect(bounded.stored.replay).toBeUndefined();
});

test('[WH8] the first id of a time is before all its ids, and after all earlier ones', () => {
  const ms = Date.parse('2030-01-01T00:00:00.123Z');
  const hex = (at: number) =>
    at
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-');
  expect(firstIdOf(ms) < `${hex(ms)}-7000-8000-000000000000`).toBe(true);
  expect(firstIdOf(ms) > `${hex(ms - 1)}-7fff-bfff-ffffffffffff`).toBe(true);
  expect(firstIdOf(-5)).toBe('00000000-0000-0000-0000-000000000000');
});
