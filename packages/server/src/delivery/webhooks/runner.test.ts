/** The runner on a real store, with faults that no server shows from outside. */
import { type Delivery, defined } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { logOfATest, withMethod } from '../../../test/log-of-a-test.ts';
import { type Attempted, newDelivery } from '../../domain/webhooks/delivery.ts';
import { type RetryPolicy, retryPolicy } from '../../domain/webhooks/retry.ts';
import { readerOf, type StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { enable } from '../../domain/webhooks/webhook-health.ts';
import { newId } from '../../new-id.ts';
import { readEvents } from '../../stores/contract/opened-store.ts';
import { at, orgId } from '../../stores/contract/records.fixture.ts';
import type { Store } from '../../stores/store.ts';
import { WebhookRunner } from './runner.ts';
import type { Sender } from './sender.ts';

const stored = (more: Partial<StoredWebhook['record']> = {}): StoredWebhook => ({
  record: {
    id: 'w',
    url: 'http://127.0.0.1/',
    format: 'standard',
    order: 'none',
    concurrency: 8,
    timeoutMs: 1_000,
    headerNames: [],
    status: 'enabled',
    createdAt: at,
    updatedAt: at,
    ...more,
  },
  secrets: [{ secret: 'whsec_' }],
  headers: {},
  enabledAt: 0,
  replayed: 0,
});

/** A webhook, a thread, and a sender that notes what it is given. */
async function setUp(more?: Partial<StoredWebhook['record']>, policy?: RetryPolicy) {
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const runners = new Set<WebhookRunner>();
  const log = await logOfATest(readerOf('w'), async () => {
    for (const runner of runners) await runner.stop();
  });
  const { store } = log;
  await store.commit({ orgId, documents: [{ type: 'webhook', id: 'w', record: stored(more), expected: null }] });
  const sent: string[] = [];
  const signedBy: string[] = [];
  const errors: unknown[] = [];
  const sending = { answer: async (): Promise<Partial<Attempted>> => ({ status: 200 }) };
  const sender = {
    async send({ secrets }: StoredWebhook, { id }: { id: string }) {
      sent.push(id);
      signedBy.push(`${secrets[0]?.secret}`);
      return { at, durationMs: 1, ...(await sending.answer()) };
    },
    async close() {},
  } as unknown as Sender;
  const run = (of: Store = store): WebhookRunner => {
    const runner = new WebhookRunner(
      { orgId, id: 'w' },
      {
        store: of,
        clock,
        ...defined({ policy }),
        newId,
        random: () => 0,
        sender,
        drainMs: 100,
        onError: (error) => errors.push(error),
      },
    );
    runners.add(runner);
    store.onCommitted((heads) => runner.notice(heads));
    return runner;
  };
  /** Notifies no runner, so only a runner that looks finds the change. */
  const change = async (edit: (webhook: StoredWebhook) => StoredWebhook) => {
    const webhook = await store.getDocument({ orgId, type: 'webhook', id: 'w' });
    if (!webhook) throw new Error('there is no webhook');
    const { revision: expected, record } = webhook;
    await store.commit({ orgId, documents: [{ type: 'webhook', id: 'w', record: edit(record), expected }] });
  };
  const deliveries = async (status?: Delivery['status']): Promise<Delivery[]> => {
    const all: Delivery[] = [];
    const by = { orgId, webhookId: 'w', order: 'oldest', limit: 1_000, ...defined({ status }) } as const;
    for (let page = await store.listDeliveries(by); ; ) {
      all.push(...page.items);
      if (page.next === undefined) return all;
      page = await store.listDeliveries({ ...by, cursor: page.next });
    }
  };
  return { ...log, clock, run, change, sent, signedBy, errors, sending, deliveries };
}

/** The same store, whose every so-and-so-many commit is done and reported as failed, or not done. */
function unreliable(store: Store, every: number, isDone: boolean): Store {
  let count = 0;
  return withMethod(store, 'commit', async (change) => {
    if (++count % every !== 0) return store.commit(change);
    if (isDone) await store.commit(change);
    throw new Error('the connection was lost');
  });
}

test.each([true, false])(
  '[WH1] commits that are reported as failed, done or not (%s), lose no event',
  async (isDone) => {
    const { store, run, say, sent, errors, deliveries } = await setUp();
    run(unreliable(store, 3, isDone));
    // One page after the other, so that there are many commits.
    for (let count = 1; count <= 10; count++) {
      await say(5);
      await expect.poll(() => new Set(sent).size, { timeout: 30_000 }).toBe(5 * count);
    }
    await expect.poll(async () => (await deliveries('pending')).length, { timeout: 30_000 }).toBe(0);
    expect((await deliveries()).length).toBe(50);
    expect(errors.length).toBeGreaterThan(0);
  },
);

test('[WH1] at most 10,000 deliveries are pending; the rest waits in the log, and comes when there is room', async () => {
  const { run, say, sent, sending, deliveries } = await setUp({ concurrency: 64 });
  const open = Promise.withResolvers<void>();
  sending.answer = async () => {
    await open.promise;
    return { status: 200 };
  };
  for (let count = 0; count < 12; count++) await say(900);
  run();
  await expect.poll(async () => (await deliveries('pending')).length, { timeout: 30_000, interval: 200 }).toBe(10_000);
  open.resolve();
  await expect.poll(() => sent.length, { timeout: 30_000 }).toBe(10_800);
  expect(new Set(sent).size).toBe(10_800);
});

test('[WH1] events that it does not want are passed by, and a restart does not read them again', async () => {
  const { store, run, say, sent, savedCursor } = await setUp({ events: ['message.created'] });
  const before = await savedCursor();
  const runner = run();
  await say(1);
  await expect.poll(() => sent.length).toBe(1);
  for (let count = 0; count < 12; count++) await say(500, 'thread.created');
  expect(await savedCursor()).not.toBe(before);
  await runner.stop();
  const { items: unread } = await store.readEvents({ orgId, after: await savedCursor(), limit: 10_000 });
  expect(unread.length).toBeLessThan(5_000);
  run();
  await say(1);
  await expect.poll(() => sent.length).toBe(2);
});

test('[WH1] an event that is committed while the log is being read is not passed by', async () => {
  const { store, run, say, sent } = await setUp();
  let meanwhile = 20;
  const busy = withMethod(store, 'readEvents', async (by) => {
    const events = await store.readEvents(by);
    if (meanwhile-- > 0) await say(1);
    return events;
  });
  run(busy);
  await expect.poll(() => new Set(sent).size).toBe(20);
});

test('[N6] deliveries are sent that a dead node enqueued after it had lost the lease', async () => {
  const { store, run, say, sent, deliveries, savedReader } = await setUp({ events: ['message.created'] });
  run();
  await say(1);
  await expect.poll(async () => (await deliveries('delivered')).length).toBe(1);
  await say(1, 'thread.created');
  const [first] = await deliveries();
  const { id, revision: expected } = await savedReader();
  if (!first) throw new Error('there is no event');
  const record = { cursor: await store.headCursor() };
  await store.commit({
    orgId,
    documents: [{ type: 'reader', id, record, expected }],
    newDeliveries: [{ ...first, id: newId(), status: 'pending', attempts: [] }],
  });
  await say(1);
  await expect.poll(() => sent.length).toBe(3);
  expect(new Set(sent).size).toBe(2);
});

test('[WH13][WH1] the next node sends events that are committed during the stop', async () => {
  const { run, say, sent, sending } = await setUp({ events: ['message.created'] });
  const runner = run();
  sending.answer = () => new Promise((resolve) => setTimeout(resolve, 50, { status: 200 }));
  await say(1);
  await expect.poll(() => sent.length).toBe(1);
  const stopping = runner.stop();
  await say(1);
  await say(1, 'thread.created');
  await stopping;
  run();
  await expect.poll(() => new Set(sent).size).toBe(2);
});

test('[N6] deliveries are sent that another node enqueued while this one began', async () => {
  const { store, run, say, sent, deliveries, savedReader } = await setUp({ events: ['message.created'] });
  await say(1);
  let isFirst = true;
  const late = withMethod(store, 'getDocument', async (by) => {
    if (by.type === 'reader' && isFirst) {
      isFirst = false;
      const { id, revision: expected, record } = await savedReader();
      const [event] = await readEvents(store, { orgId, after: record.cursor, limit: 1 });
      if (!event) throw new Error('there is no event');
      await store.commit({
        orgId,
        documents: [{ type: 'reader', id, record: { cursor: event.cursor }, expected }],
        newDeliveries: [newDelivery(event, { id: newId(), webhookId: 'w', now: Date.now() })],
      });
    }
    return store.getDocument(by);
  });
  run(late);
  await expect.poll(() => sent.length).toBe(1);
  await expect.poll(async () => (await deliveries('delivered')).length).toBe(1);
});

test('[N6] two that both think they have the webhook lose nothing', async () => {
  const { run, say, sent, deliveries } = await setUp();
  run();
  run();
  for (let count = 0; count < 20; count++) await say(10);
  await expect.poll(() => new Set(sent).size, { timeout: 30_000 }).toBe(200);
  await expect.poll(async () => (await deliveries('pending')).length, { timeout: 30_000 }).toBe(0);
  expect((await deliveries()).length).toBe(200);
});

test('[WH1][WH2] a change of the webhook before an event holds for the event, even without a notification', async () => {
  const { store, run, say, change, signedBy } = await setUp();
  let isFirst = true;
  const late = withMethod(store, 'readEvents', async (by) => {
    if (isFirst) {
      isFirst = false;
      await change((webhook) => ({ ...webhook, secrets: [{ secret: 'whsec_new' }] }));
      await say(1);
    }
    return store.readEvents(by);
  });
  run(late);
  await expect.poll(() => signedBy).toEqual(['whsec_new']);
});

test('[WH1] an event that only the changed filter wants is not passed by', async () => {
  const { store, run, say, change, sent } = await setUp({ events: ['thread.created'] });
  let asked = 0;
  const late = withMethod(store, 'headCursor', async () => {
    // The first time it only looks where it begins; what is read after this one is empty.
    if (++asked === 2) {
      await change(({ record, ...rest }) => ({ ...rest, record: { ...record, events: ['message.created'] } }));
      await say(1);
    }
    return store.headCursor();
  });
  run(late);
  await expect.poll(() => sent.length).toBe(1);
});

test('[WH7] a webhook that is enabled again has three new days, also if it never stopped', async () => {
  const longAgo = new Date(Date.now() - 4 * 24 * 3_600_000).toISOString();
  const { store, run, say, change, sending, deliveries } = await setUp({ failingSince: longAgo });
  sending.answer = async () => ({ status: 500 });
  const runner = run();
  await say(1);
  const status = async () => (await store.getDocument({ orgId, type: 'webhook', id: 'w' }))?.record.record.status;
  await expect.poll(status).toBe('disabled');
  await change((webhook) => enable(webhook, Date.now()));
  runner.check();
  // One that is disabled attempts nothing.
  await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(3);
  expect(await status()).toBe('enabled');
});

test('[WH33] an endpoint that takes nothing is tried by one pending delivery at a time, however many are due', async () => {
  const policy = { ...retryPolicy, firstMs: 60_000 };
  const { store, clock, run, say, sent, sending, deliveries } = await setUp({}, policy);
  let reads = 0;
  sending.answer = async () => ({ status: 500, at: new Date(clock.now()).toISOString() });
  run(
    withMethod(store, 'readEvents', (by) => {
      reads++;
      return store.readEvents(by);
    }),
  );
  await say(100);
  await expect.poll(() => sent.length).toBe(100);
  const attempts = async () => (await deliveries()).reduce((sum, one) => sum + one.attempts.length, 0);
  await expect.poll(attempts).toBe(100);
  // All hundred are due. A new delivery is attempted at once, and by then the runner has checked the due ones.
  clock.offsetMs += 60_000;
  await expect.poll(() => sent.length).toBe(101);
  const readsBefore = reads;
  for (let count = 1; count <= 3; count++) {
    await say(1);
    await expect.poll(attempts).toBe(101 + count);
  }
  expect(reads - readsBefore).toBeLessThanOrEqual(6);
  clock.offsetMs += 60_000;
  await expect.poll(() => sent.length).toBe(105);
  // As soon as the endpoint accepts one, all due deliveries are sent.
  sending.answer = async () => ({ status: 200 });
  await say(1);
  await expect.poll(async () => (await deliveries('delivered')).length).toBeGreaterThan(90);
});

test('[WH32] a retry that was noted while the clock was two hours ahead is made after its delay', async () => {
  const hour = 3_600_000;
  const { clock, run, say, sent, sending, deliveries } = await setUp();
  clock.offsetMs = 2 * hour;
  sending.answer = async () => ({ status: 500, at: new Date(clock.now()).toISOString() });
  const runner = run();
  await say(1);
  await expect.poll(() => sent.length).toBeGreaterThanOrEqual(1);
  clock.offsetMs = 0;
  const before = sent.length;
  await expect.poll(() => sent.length).toBeGreaterThan(before);
  // The same holds for a node that reads the delivery from the store.
  clock.offsetMs = 2 * hour;
  const made = sent.length;
  await expect.poll(() => sent.length).toBeGreaterThan(made);
  await runner.stop();
  expect(Date.parse((await deliveries())[0]?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + hour);
  clock.offsetMs = 0;
  const stopped = sent.length;
  sending.answer = async () => ({ status: 200 });
  run();
  await expect.poll(() => sent.length, { timeout: 15_000 }).toBeGreaterThan(stopped);
}, 60_000);
