/** What a run has asked is withdrawn where somebody else ends it. */
import type { Interaction } from '@holdpoint/protocol';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { complete, failBatch, say, settings } from './dispatcher.ts';
import { advanced, begun, claimFor, helper } from './run-worker.ts';

let admin: SpecClient;

beforeEach(async () => {
  const server = await startSpecServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await settings(admin, { debounceMs: 0, from: 'start' });
  await admin.newThread({ id: 'one', agent: helper });
});

const statusOf = async (id: string) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body.status;
const pendingOf = async (runId: string) =>
  (await admin.get<{ data: object[] }>(`/v1/interactions?runId=${runId}&status=pending&limit=1`)).body.data.length;
const cancel = (runId: string) => admin.post(`/v1/runs/${runId}/cancel`, { reason: 'Moot' });

test('[RU15] where its batch is given up, its questions are withdrawn', async () => {
  await say(admin, 'one', 'Hello');
  const batch = await claimFor(admin);
  const run = await begun(admin, batch);
  const { id } = await admin.ask({ run: { id: run.id } }, 'one');
  const mine = await admin.ask({}, 'one');
  await failBatch(admin, batch, { retryable: false, reason: 'The worker is broken' });
  await expect.poll(() => statusOf(id)).toBe('cancelled');
  expect((await admin.get<Interaction>(`/v1/interactions/${id}`)).body.cancelReason).toBe('The worker is broken');
  expect(await statusOf(mine.id)).toBe('pending');
});

test('[RU11] where it is cancelled, all of them are, and what it asked meanwhile when it is cancelled again', async () => {
  await say(admin, 'one', 'Hello');
  const batch = await claimFor(admin);
  const run = await begun(admin, batch);
  for (let page = 0; page < 7; page++)
    await Promise.all(Array.from({ length: 30 }, () => admin.ask({ run: { id: run.id } }, 'one')));
  expect((await cancel(run.id)).status).toBe(200);
  expect(await pendingOf(run.id)).toBe(0);
  const late = await admin.ask({ run: { id: run.id } }, 'one');
  expect((await cancel(run.id)).status).toBe(200);
  expect(await statusOf(late.id)).toBe('cancelled');
});

test('[RU11] a run that ended by itself leaves them as they are', async () => {
  await say(admin, 'one', 'Hello');
  const batch = await claimFor(admin);
  const run = await begun(admin, batch);
  const { id } = await admin.ask({ run: { id: run.id } }, 'one');
  await advanced(admin, run, { status: 'completed' });
  await complete(admin, batch);
  expect(await statusOf(id)).toBe('pending');
});
