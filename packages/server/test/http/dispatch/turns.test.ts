/** Waiting for a turn: until all that was said and answered has been worked on, and the run rests. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type SpecClient, type SpecServer, startSpecServer } from '../openapi/spec-server.ts';
import { complete, say, settings } from './dispatcher.ts';
import { advanced, begun, claimFor, helper, turnOf, work } from './run-worker.ts';

let server: SpecServer;
let admin: SpecClient;

beforeEach(async () => {
  server = await startSpecServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await settings(admin, { debounceMs: 0, from: 'start' });
  await admin.newThread({ id: 'one', agent: helper });
});

const forMessage = { status: 'waiting', waitingFor: [{ type: 'message' }] };
const waiters = () => admin.metric('holdpoint_waiters');

test('[RU14] a thread where nothing was said, or that has no agent, is settled', async () => {
  expect(await turnOf(admin, 'one')).toEqual({ isSettled: true });
  await admin.newThread({ id: 'none' });
  await say(admin, 'none', 'Hello');
  expect(await turnOf(admin, 'none')).toEqual({ isSettled: true });
});

test('[RU14] a turn is over when the run waits, and again when it has worked on the answer', async () => {
  await say(admin, 'one', 'Hello');
  expect(await turnOf(admin, 'one', 0)).toEqual({ isSettled: false });
  const first = turnOf(admin, 'one');
  const batch = await claimFor(admin);
  const run = await begun(admin, batch);
  const question = await admin.ask({ run: { id: run.id } }, 'one');
  expect(await turnOf(admin, 'one', 0)).toMatchObject({ isSettled: false, run: { status: 'running' } });
  const waitingFor = [{ type: 'interaction', interactionId: question.id }];
  const waiting = await advanced(admin, run, { status: 'waiting', waitingFor });
  await complete(admin, batch);
  expect(await first).toEqual({ isSettled: true, run: waiting });

  await admin.answer(question.id);
  // Nobody has looked at the answer yet, so the same state is not settled any more.
  expect(await turnOf(admin, 'one', 0)).toEqual({ isSettled: false, run: waiting });
  const second = turnOf(admin, 'one');
  await expect.poll(waiters).toBe(1);
  const done = await work(admin, { status: 'completed', result: 'thanks' });
  expect(await second).toEqual({ isSettled: true, run: done });
});

test('[RU14] what comes after the end of a run and begins none leaves the turn settled', async () => {
  await say(admin, 'one', 'Hello');
  const question = await admin.ask({}, 'one');
  const done = await work(admin, { status: 'completed' });
  await admin.answer(question.id);
  expect(await turnOf(admin, 'one')).toEqual({ isSettled: true, run: done });
  await say(admin, 'one', 'One more thing');
  expect(await turnOf(admin, 'one', 0)).toMatchObject({ isSettled: false });
  const outcome = await claimFor(admin);
  expect(outcome.kind).toBe('outcomes');
  await complete(admin, outcome);
  const next = await work(admin, forMessage);
  expect(await turnOf(admin, 'one')).toEqual({ isSettled: true, run: next });
});

test('[RU14] a cancelled run ends the turn, and so does taking the agent away', async () => {
  await say(admin, 'one', 'Hello');
  const run = await begun(admin, await claimFor(admin));
  const turn = turnOf(admin, 'one');
  await expect.poll(waiters).toBe(1);
  await admin.post(`/v1/runs/${run.id}/cancel`, {});
  expect(await turn).toMatchObject({ isSettled: true, run: { status: 'cancelled' } });
  await say(admin, 'one', 'Hello?');
  const second = turnOf(admin, 'one');
  await expect.poll(waiters).toBe(1);
  await admin.patch('/v1/threads/one', { agent: null });
  expect(await second).toMatchObject({ isSettled: true });
});

test('[RU14][X2] who waits for a thread of the same id in another org hears nothing of this one', async () => {
  const other = await admin.withOrg('acme');
  await other.newThread({ id: 'one', agent: helper });
  await say(other, 'one', 'Hello');
  await say(admin, 'one', 'Hello');
  await work(admin, { status: 'completed' });
  expect(await turnOf(other, 'one', 0)).toEqual({ isSettled: false });
});
