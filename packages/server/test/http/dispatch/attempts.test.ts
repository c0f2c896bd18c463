/** Which attempts count towards giving a batch up: not those of a worker that stops, nor those by which its run went on. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type SpecClient, type SpecServer, startSpecServer } from '../openapi/spec-server.ts';
import { claim, claimOne, complete, failBatch, say, settings } from './dispatcher.ts';
import { advanced, begun, claimFor, getRun, helper, runsOf } from './run-worker.ts';

let server: SpecServer;
let admin: SpecClient;

beforeEach(async () => {
  server = await startSpecServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await settings(admin, { debounceMs: 0, from: 'start' });
  await admin.newThread({ id: 'one', agent: helper });
});

const entry = { call: 1, type: 'step', name: 'send', state: 'done' };

/** Leases the batch to a worker that dies with it. */
async function die(more: (batch: Awaited<ReturnType<typeof claimFor>>) => Promise<unknown> = async () => {}) {
  const batch = await claimFor(admin, { leaseMs: 1_000 });
  await more(batch);
  server.clock.offsetMs += 1_000;
  return batch.attempt;
}

test('[DI7] a worker that stops uses up no attempt, but each claim reports another one', async () => {
  await admin.newThread({ id: 'two' });
  await say(admin, 'two', 'Hello');
  for (let attempt = 1; attempt <= 12; attempt++) {
    const batch = await claimOne(admin);
    expect(batch.attempt).toBe(attempt);
    expect((await failBatch(admin, batch, { released: true })).status).toBe(200);
  }
  // What is released is ready at once; what failed after it waits as after a first failure.
  await failBatch(admin, await claimOne(admin));
  expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  server.clock.offsetMs += 500;
  await complete(admin, await claimOne(admin));
});

test('[DI7] a run that goes on with every attempt is not given up, and one that stands still is', async () => {
  await say(admin, 'one', 'Hello');
  const goOn = async (batch: Awaited<ReturnType<typeof claimFor>>) =>
    advanced(admin, await begun(admin, batch), { entries: [entry] });
  for (let attempt = 1; attempt <= 12; attempt++) expect(await die(goOn)).toBe(attempt);
  const [run] = await runsOf(admin, 'one');
  expect(run).toMatchObject({ status: 'running', entries: 12 });
  for (let attempt = 13; attempt <= 20; attempt++) expect(await die()).toBe(attempt);
  expect(await claim(admin, { agents: [helper], waitMs: 0 })).toEqual([]);
  expect(await getRun(admin, run?.id ?? '')).toMatchObject({ status: 'failed', error: { code: 'given-up' } });
});
