/** The runner on a real store, with faults that no server shows from outside. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { newDelivery } from '../../domain/webhooks/new-delivery.ts';
import type { Attempted } from '../../domain/webhooks/settle.ts';
import { readerOf, type StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import { newId } from '../../new-id.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../stores/store.ts';
import { WebhookRunner } from './runner.ts';
import type { Sender } from './sender.ts';

const orgId = 'acme';
const at = '2030-01-01T00:00:00.000Z';
const actor = { type: 'agent', id: 'a' } as const;

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
async function setUp(more?: Partial<StoredWebhook['record']>) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-runner-'));
  const store = await openSqliteStore({ folder });
  const runners = new Set<WebhookRunner>();
  onTestFinished(async () => {
    for (const runner of runners) await runner.stop();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const documents = [
    { type: 'webhook', id: 'w', record: stored(more), expected: null },
    { type: 'reader', id: readerOf('w'), record: { cursor: await store.headCursor() }, expected: null },
  ] as const;
  await store.commit({ orgId, documents });
  const newThread = { id: 't', createdBy: actor, createdAt: at };
  await store.commit({ orgId, newThread });
  const sent: string[] = [];
  const errors: unknown[] = [];
  const sending = { answer: async (): Promise<Partial<Attempted>> => ({ status: 200 }) };
  const sender = {
    async send(_webhook: unknown, { id }: { id: string }) {
      sent.push(id);
      return { at, durationMs: 1, ...(await sending.answer()) };
    },
    async close() {},
  } as unknown as Sender;
  const run = (of: Store = store): WebhookRunner => {
    const runner = new WebhookRunner(
      { orgId, id: 'w' },
      {
        store: of,
        clock: { now: Date.now },
        newId,
        random: () => 0,
        sender,
        drainMs: 100,
        onError: (error) => errors.push(error),
      },
    );
    runners.add(runner);
    store.onCommitted((heads) => runner.hear(heads));
    return runner;
  };
  const say = (count: number, type: 'message.created' | 'thread.created' = 'message.created') =>
    store.commit({
      orgId,
      log: { threadId: 't', events: Array.from({ length: count }, () => ({ type, at, actor, data: {} })) },
    });
  const deliveries = async (status?: Delivery['status']): Promise<Delivery[]> => {
    const all: Delivery[] = [];
    const by = { orgId, webhookId: 'w', order: 'oldest', limit: 1_000, ...(status ? { status } : {}) } as const;
    for (let page = await store.listDeliveries(by); ; ) {
      all.push(...page.items);
      if (page.next === undefined) return all;
      page = await store.listDeliveries({ ...by, cursor: page.next });
    }
  };
  const cursor = async () => (await store.getDocument({ orgId, type: 'reader', id: readerOf('w') }))?.record.cursor;
  return { store, run, say, sent, errors, sending, deliveries, cursor };
}

/** The same store, whose every so-and-so-many commit is done and reported as failed, or not done. */
function unreliable(store: Store, every: number, isDone: boolean): Store {
  let count = 0;
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'commit') return typeof value === 'function' ? value.bind(target) : value;
      return async (change: Change) => {
        if (++count % every !== 0) return store.commit(change);
        if (isDone) await store.commit(change);
        throw new Error('the connection was lost');
      };
    },
  });
}

test.each([true, false])(
  '[WH1] commits that are reported as failed, done or not (%s), lose no event',
  async (isDone) => {
    const { store, run, say, sent, errors, deliveries } = await setUp();
    run(unreliable(store, 3, isDone));
    for (let count = 0; count < 10; count++) await say(5);
    await expect.poll(() => new Set(sent).size, { timeout: 30_000 }).toBe(50);
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
  const { store, run, say, sent, cursor } = await setUp({ events: ['message.created'] });
  const before = await cursor();
  const runner = run();
  await say(1);
  await expect.poll(() => sent.length).toBe(1);
  for (let count = 0; count < 12; count++) await say(500, 'thread.created');
  expect(await cursor()).not.toBe(before);
  await runner.stop();
  const unread = await store.readEvents({ orgId, after: `${await cursor()}`, limit: 10_000 });
  expect(unread.length).toBeLessThan(5_000);
  run();
  await say(1);
  await expect.poll(() => sent.length).toBe(2);
});

test('[WH1] an event that is committed while the log is being read is not passed by', async () => {
  const { store, run, say, sent } = await setUp();
  let meanwhile = 20;
  const busy = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'readEvents') return typeof value === 'function' ? value.bind(target) : value;
      return async (by: Parameters<Store['readEvents']>[0]) => {
        const events = await store.readEvents(by);
        if (meanwhile-- > 0) await say(1);
        return events;
      };
    },
  });
  run(busy);
  await expect.poll(() => new Set(sent).size).toBe(20);
});

test('[N6] what a node took in that thought it had the webhook, and then died, is sent', async () => {
  const { store, run, say, sent, deliveries } = await setUp({ events: ['message.created'] });
  run();
  await say(1);
  await expect.poll(async () => (await deliveries('delivered')).length).toBe(1);
  await say(1, 'thread.created');
  const [first] = await deliveries();
  const id = readerOf('w');
  const reader = await store.getDocument({ orgId, type: 'reader', id });
  if (!first || !reader) throw new Error('there is nothing to take in');
  const record = { cursor: await store.headCursor() };
  await store.commit({
    orgId,
    documents: [{ type: 'reader', id, record, expected: reader.revision }],
    newDeliveries: [{ ...first, id: newId(), status: 'pending', attempts: [] }],
  });
  await say(1);
  await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(3);
  expect(new Set(sent).size).toBe(2);
});

test('[WH13][WH1] what is committed while it stops is sent by whoever comes next', async () => {
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

test('[N6] what another took in while this one was beginning is sent', async () => {
  const { store, run, say, sent, deliveries } = await setUp({ events: ['message.created'] });
  await say(1);
  const id = readerOf('w');
  let isFirst = true;
  const late = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'getDocument') return typeof value === 'function' ? value.bind(target) : value;
      return async (by: Parameters<Store['getDocument']>[0]) => {
        if (by.type === 'reader' && isFirst) {
          isFirst = false;
          const reader = await store.getDocument({ orgId, type: 'reader', id });
          const [event] = await store.readEvents({ orgId, after: `${reader?.record.cursor}`, limit: 1 });
          if (!reader || !event) throw new Error('there is nothing to take in');
          await store.commit({
            orgId,
            documents: [{ type: 'reader', id, record: { cursor: event.cursor }, expected: reader.revision }],
            newDeliveries: [newDelivery(event, { id: newId(), webhookId: 'w', now: Date.now() })],
          });
        }
        return store.getDocument(by);
      };
    },
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
