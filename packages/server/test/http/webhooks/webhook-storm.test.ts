/** A receiver that fails, hangs and dies: every event arrives all the same, in order where asked, and duplicates show. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '@holdpoint/protocol';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { retryPolicy } from '../../../src/domain/webhooks/retry.ts';
import { adminKey, startTestServer } from '../../test-server.ts';
import { type Received, startReceiver, type WebhookBody } from './webhook-receiver.ts';

const threads = 250;
const perThread = 40;
const count = threads * perThread;

interface Arrival {
  id: string;
  threadId: string;
  seq: number;
  isTaken: boolean;
}

const read = ({ headers, body }: Received): Omit<Arrival, 'isTaken'> => {
  const { data } = JSON.parse(body) as WebhookBody;
  return { id: String(headers['webhook-id']), threadId: data.threadId, seq: data.seq };
};

test('[WH1][WH9] 10,000 events to a receiver that fails 30 %, hangs 10 % and dies twice', async () => {
  const server = await startTestServer({
    internals: { webhookRetry: { ...retryPolicy, firstMs: 20, longestMs: 500 } },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { admin } = server;
  const arrivals: Arrival[] = [];
  const taken = new Set<string>();
  const receiver = await startReceiver((received) => {
    const chance = Math.random();
    const arrival = { ...read(received), isTaken: chance >= 0.4 };
    arrivals.push(arrival);
    if (chance < 0.1) return undefined;
    if (chance < 0.4) return 500;
    taken.add(arrival.id);
    return 200;
  });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  await admin.post<Webhook>('/v1/webhooks', {
    url: receiver.url,
    events: ['message.created'],
    order: 'thread',
    concurrency: 64,
    timeoutMs: 200,
  });
  const names = Array.from({ length: threads }, (_, index) => `t${index}`);
  await Promise.all(names.map((id) => admin.post('/v1/threads', { id })));

  // Ten thousand calls by fetch would take longer than all the rest.
  const pool = new Pool(server.url, { connections: 32 });
  onTestFinished(() => pool.destroy());
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const say = async (id: string) => {
    const path = `/v1/threads/${id}/messages`;
    const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: '{"text":"Hi"}' });
    await body.dump();
    expect(statusCode).toBe(201);
  };

  const dies = (async () => {
    for (const share of [0.2, 0.6]) {
      await expect.poll(() => taken.size, { timeout: 500_000, interval: 5 }).toBeGreaterThan(count * share);
      await receiver.die();
      await pause(500);
      await receiver.live();
    }
  })();
  await Promise.all(
    names.map(async (id) => {
      for (let said = 0; said < perThread; said++) await say(id);
    }),
  );
  await expect.poll(() => taken.size, { timeout: 500_000, interval: 50 }).toBe(count);
  await dies;

  // What was taken was taken in order, and nothing was sent before all earlier ones of its thread were taken.
  const next = new Map(names.map((id) => [id, 2]));
  for (const { threadId, seq, isTaken } of arrivals) {
    const expected = next.get(threadId) ?? 0;
    expect(seq).toBeLessThanOrEqual(expected);
    if (isTaken && seq === expected) next.set(threadId, seq + 1);
  }
  expect([...next.values()].every((seq) => seq === perThread + 2)).toBe(true);
  // The same event has the same id, and no other has it.
  const events = new Map(arrivals.map(({ id, threadId, seq }) => [id, `${threadId} ${seq}`]));
  expect(events.size).toBe(count);
  expect(new Set(events.values()).size).toBe(count);
  expect(arrivals.every(({ id, threadId, seq }) => events.get(id) === `${threadId} ${seq}`)).toBe(true);
  expect(arrivals.length).toBeGreaterThan(count * 1.4);
}, 600_000);
