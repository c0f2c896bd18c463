import type { Delivery } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Schedule } from './schedule.ts';

const delivery = (cursor: number, { threadId = 't', dueAt }: { threadId?: string; dueAt?: number } = {}): Delivery => ({
  id: `d${String(cursor).padStart(4, '0')}`,
  webhookId: 'w',
  event: { cursor: String(cursor).padStart(16, '0'), threadId, seq: cursor, type: 'message.created' },
  status: 'pending',
  attempts: [],
  createdAt: '2030-01-01T00:00:00Z',
  ...(dueAt === undefined ? {} : { nextAttemptAt: new Date(dueAt).toISOString() }),
});

test('[WH9] without order the first due goes first, and a delivery under attempt is not returned twice', () => {
  const schedule = new Schedule('none');
  for (const one of [delivery(2), delivery(1), delivery(3, { dueAt: 500 })]) schedule.add(one, 0);
  expect([schedule.take(0)?.id, schedule.take(0)?.id, schedule.take(0)?.id]).toEqual(['d0001', 'd0002', undefined]);
  expect(schedule.nextDueAt()).toBe(500);
  schedule.retry(delivery(1), 300, 0);
  expect(schedule.take(299)).toBeUndefined();
  expect(schedule.take(300)?.id).toBe('d0001');
});

test('[WH9] with order a thread waits for its oldest, and other threads do not', () => {
  const schedule = new Schedule('thread');
  for (const one of [delivery(1), delivery(2), delivery(3, { threadId: 'u' })]) schedule.add(one, 0);
  expect([schedule.take(0)?.id, schedule.take(0)?.id, schedule.take(0)?.id]).toEqual(['d0001', 'd0003', undefined]);
  schedule.retry(delivery(1), 1_000, 0);
  expect(schedule.take(999)).toBeUndefined();
  expect(schedule.take(1_000)?.id).toBe('d0001');
  schedule.settled('d0001');
  expect(schedule.take(1_000)?.id).toBe('d0002');
});

test('[WH9] a replay of an older event goes before newer ones of its thread', () => {
  const schedule = new Schedule('thread');
  schedule.add(delivery(5), 0);
  schedule.add(delivery(2), 0);
  expect(schedule.take(0)?.id).toBe('d0002');
  expect(schedule.take(0)).toBeUndefined();
  schedule.settled('d0002');
  expect(schedule.take(0)?.id).toBe('d0005');
});

test.each(['none', 'thread'] as const)('[WH32] with order %s a clock that is set back lengthens no wait', (order) => {
  const hour = 3_600_000;
  const schedule = new Schedule(order);
  schedule.add(delivery(1), 2 * hour);
  schedule.take(2 * hour);
  schedule.retry(delivery(1), 2 * hour + 500, 2 * hour);
  schedule.add(delivery(2, { threadId: 'u', dueAt: 2 * hour + 700 }), 2 * hour);
  schedule.add(delivery(3, { threadId: 'v', dueAt: 100 }), 2 * hour);
  schedule.clockSetBack(0);
  // This delivery was due before.
  expect([schedule.take(0)?.id, schedule.take(499)?.id]).toEqual(['d0003', undefined]);
  expect([schedule.take(500)?.id, schedule.take(699)?.id, schedule.take(700)?.id]).toEqual([
    'd0001',
    undefined,
    'd0002',
  ]);
});

/** The same rules, read off a list. */
class Model {
  left: { one: Delivery; dueAt: number; isTaken: boolean }[] = [];
  order: 'none' | 'thread' = 'none';

  ready(now: number): string[] {
    const oldest = (threadId: string) =>
      this.left
        .filter(({ one }) => one.event.threadId === threadId)
        .map(({ one }) => one.event.cursor)
        .sort()[0];
    return this.left
      .filter(({ isTaken, dueAt }) => !isTaken && dueAt <= now)
      .filter(({ one }) => this.order === 'none' || oldest(one.event.threadId) === one.event.cursor)
      .sort((a, b) => a.dueAt - b.dueAt || (a.one.event.cursor < b.one.event.cursor ? -1 : 1))
      .map(({ one }) => one.id);
  }
}

test('[WH9] after any additions, attempts, retries and results, it returns what the model returns', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'take', 'retry', 'settle', 'order'),
    number: fc.nat({ max: 40 }),
    thread: fc.constantFrom('t', 'u'),
    at: fc.nat({ max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const schedule = new Schedule('none');
      const model = new Model();
      for (const { what, number, thread, at } of steps) {
        const taken = model.left.filter(({ isTaken }) => isTaken);
        const one = taken[number % Math.max(taken.length, 1)];
        if (what === 'add' && !model.left.some((entry) => entry.one.id === delivery(number).id)) {
          const added = delivery(number, { threadId: thread, dueAt: at });
          schedule.add(added, 0);
          model.left.push({ one: added, dueAt: at, isTaken: false });
        } else if (what === 'take') {
          const [expected] = model.ready(at);
          expect(schedule.take(at)?.id).toBe(expected);
          for (const entry of model.left) if (entry.one.id === expected) entry.isTaken = true;
        } else if (what === 'retry' && one) {
          schedule.retry(one.one, at, 0);
          Object.assign(one, { dueAt: at, isTaken: false });
        } else if (what === 'settle' && one) {
          schedule.settled(one.one.id);
          model.left = model.left.filter((entry) => entry !== one);
        } else if (what === 'order') {
          model.order = model.order === 'none' ? 'thread' : 'none';
          schedule.setOrder(model.order);
        }
        expect(schedule.size).toBe(model.left.length);
        const dueAt = schedule.nextDueAt();
        expect(dueAt === undefined ? [] : [dueAt]).toEqual(
          model
            .ready(Number.POSITIVE_INFINITY)
            .slice(0, 1)
            .map((id) => model.left.find((entry) => entry.one.id === id)?.dueAt),
        );
      }
    }),
    { numRuns: 500 },
  );
});
