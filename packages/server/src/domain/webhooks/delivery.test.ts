import type { Delivery } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { timestamp } from '../state.ts';
import { type Attempted, newDelivery, settle } from './delivery.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const hour = 3_600_000;
const event = { cursor: '1', threadId: 't', seq: 1, type: 'message.created' } as const;
const fresh = newDelivery(event, { id: 'd', webhookId: 'w', now: start });
const attempt = (now: number, more: Partial<Attempted> = {}): Attempted => ({
  at: timestamp(now),
  durationMs: 5,
  ...more,
});
const settleAt = (delivery: Delivery, now: number, more: Partial<Attempted>, enabledAt = start) =>
  settle(delivery, attempt(now, more), { now, random: 0, enabledAt });

test.each([200, 201, 202, 204, 299])('[WH5] %i is a success', (status) => {
  const settled = settleAt(fresh, start, { status });
  expect(settled).toMatchObject({ status: 'delivered', settledAt: timestamp(start), attempts: [{ status }] });
  expect(settled.nextAttemptAt).toBeUndefined();
});

test.each([
  { status: 301 },
  { status: 304 },
  { status: 400 },
  { status: 410 },
  { status: 500 },
  { error: 'The connection was refused.' },
  { status: 200, error: 'No complete response within 100 ms.' },
])('[WH5] %o has failed, and is attempted again', (outcome) => {
  const settled = settleAt(fresh, start, outcome);
  expect(settled).toMatchObject({ status: 'pending', nextAttemptAt: timestamp(start + 500), attempts: [outcome] });
});

test('[WH6] a delivery that failed for three days is dead', () => {
  let delivery = fresh;
  let now = start;
  while (delivery.status === 'pending') {
    now = Math.max(now, Date.parse(delivery.nextAttemptAt ?? timestamp(start)));
    delivery = settleAt(delivery, now, { status: 500 });
  }
  expect(delivery).toMatchObject({ status: 'dead', settledAt: timestamp(now) });
  expect(now - start).toBeGreaterThan(66 * hour);
  expect(delivery.nextAttemptAt).toBeUndefined();
});

test('[WH7] a delivery that was pending when its webhook was enabled again has three days from then', () => {
  const tried = settleAt(fresh, start, { status: 500 });
  const later = start + 100 * hour;
  expect(settleAt(tried, later, { status: 500 }).status).toBe('dead');
  expect(settleAt(tried, later, { status: 500 }, later).status).toBe('pending');
});
