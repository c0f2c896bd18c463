/** Runs where the clocks of the nodes differ: here the clock of one that goes back. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/new-id.ts';
import { type SpecClient, type SpecServer, startSpecServer } from '../openapi/spec-server.ts';
import { complete, failBatch, say, settings } from './dispatcher.ts';
import { advanced, begun, claimFor, getRun, helper, runsOf, turnOf, work } from './run-worker.ts';

let server: SpecServer;
let admin: SpecClient;
let isBehind = false;

/** Of a clock that is years behind. */
const idOfThePast = () => `018${newId().slice(3)}`;

beforeEach(async () => {
  isBehind = false;
  server = await startSpecServer({ internals: { newId: () => (isBehind ? idOfThePast() : newId()) } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await settings(admin, { debounceMs: 0, from: 'start' });
  await admin.newThread({ id: 'one', agent: helper });
});

test('[RU1] a run that a node with a clock behind began is the last one, and goes on with what comes', async () => {
  await say(admin, 'one', 'Hello');
  const first = await work(admin, { status: 'completed' });
  isBehind = true;
  await say(admin, 'one', 'Again');
  const second = await work(admin, { status: 'waiting', waitingFor: [{ type: 'message' }] });
  expect(second.id > first.id).toBe(true);
  expect((await turnOf(admin, 'one')).run?.id).toBe(second.id);
  await say(admin, 'one', 'And this');
  expect(await begun(admin, await claimFor(admin))).toMatchObject({ id: second.id, status: 'running' });
});

test('[RU12][RU15] so is one that was given up before it began, and one that was done again', async () => {
  await say(admin, 'one', 'Hello');
  const first = await work(admin, { status: 'completed' });
  isBehind = true;
  await say(admin, 'one', 'Again');
  await failBatch(admin, await claimFor(admin), { retryable: false });
  const [, given] = await runsOf(admin, 'one');
  expect(given).toMatchObject({ status: 'failed', error: { code: 'given-up' } });
  const { status, body: restarted } = await admin.post<{ id: string }>(`/v1/runs/${given?.id}/restart`);
  expect(status).toBe(201);
  const ids = (await runsOf(admin, 'one')).map(({ id }) => id);
  expect(ids).toEqual([first.id, given?.id, restarted.id]);
  const batch = await claimFor(admin);
  await advanced(admin, await begun(admin, batch), { status: 'completed' });
  await complete(admin, batch);
  expect((await getRun(admin, restarted.id)).status).toBe('completed');
});

test('[RU10] the time that woke a run has come for every worker, even with a clock that is behind', async () => {
  await say(admin, 'one', 'Hello');
  const until = new Date(server.clock.now() + 60_000).toISOString();
  const asleep = await work(admin, { status: 'waiting', waitingFor: [{ type: 'time', until }] });
  server.clock.offsetMs += 60_000;
  const batch = await claimFor(admin);
  server.clock.offsetMs -= 120_000;
  const woken = await begun(admin, batch);
  expect(woken.id).toBe(asleep.id);
  expect(Date.parse(woken.updatedAt)).toBeGreaterThanOrEqual(Date.parse(until));
});
