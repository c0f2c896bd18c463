/** Runs: an agent's executions on a thread, begun and continued by what dispatch hands out. */
import type { LogEvent, Run } from '@holdpoint/protocol';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readLog } from '../../read-everything.ts';
import { type SpecClient, type SpecServer, startSpecServer } from '../openapi/spec-server.ts';
import { allTakenIn, claim, complete, failBatch, say, settings, texts } from './dispatcher.ts';
import { advance, advanced, begin, begun, claimFor, getRun, helper, journalOf, runsOf, work } from './run-worker.ts';

let server: SpecServer;
let admin: SpecClient;

beforeEach(async () => {
  server = await startSpecServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await settings(admin, { debounceMs: 0, from: 'start' });
  await admin.newThread({ id: 'one', agent: helper });
});

const pass = (ms: number) => {
  server.clock.offsetMs += ms;
};
const entry = (call: number, more: object = {}) => ({ call, type: 'step', name: 'send', state: 'done', ...more });
const forMessage = { status: 'waiting', waitingFor: [{ type: 'message' }] };
const runEvents = async (threadId: string): Promise<LogEvent[]> =>
  (await readLog(admin, threadId)).filter(({ type }) => type.startsWith('run.'));

describe('which run a batch is for', () => {
  test('[RU1] a message begins a run, the next ones go on with it, and after its end one begins another', async () => {
    await say(admin, 'one', 'Hello');
    const first = await claimFor(admin);
    const run = await begun(admin, first);
    const [input] = first.inputs;
    expect(run).toMatchObject({
      ...{ threadId: 'one', agent: helper, status: 'running', version: 1, entries: 0 },
      ...{ fromSeq: input?.seq, deliveredSeq: input?.seq },
    });
    await advanced(admin, run, forMessage);
    await complete(admin, first);

    await say(admin, 'one', 'And this');
    const second = await claimFor(admin);
    const again = await begun(admin, second);
    expect(again).toMatchObject({ id: run.id, status: 'running', version: 3, fromSeq: input?.seq });
    expect(again.deliveredSeq).toBe(second.inputs[0]?.seq);
    expect(again).not.toHaveProperty('waitingFor');
    const done = await advanced(admin, again, { status: 'completed', result: { sent: 2 } });
    expect(done).toMatchObject({ status: 'completed', result: { sent: 2 }, endedAt: expect.any(String) });
    await complete(admin, second);

    await say(admin, 'one', 'Something else');
    const third = await begun(admin, await claimFor(admin));
    expect(third.id).not.toBe(run.id);
    expect((await runsOf(admin, 'one')).map(({ id, status }) => [id, status])).toEqual([
      [run.id, 'completed'],
      [third.id, 'running'],
    ]);
    expect((await runEvents('one')).map(({ type, data }) => [type, 'run' in data && data.run.id])).toEqual([
      ['run.started', run.id],
      ['run.waiting', run.id],
      ['run.resumed', run.id],
      ['run.completed', run.id],
      ['run.started', third.id],
    ]);
  });

  test('[RU2] a batch that comes again goes on with its run, and begins no second one after its end', async () => {
    await say(admin, 'one', 'Hello');
    const batch = await claimFor(admin);
    const run = await begun(admin, batch);
    await failBatch(admin, batch, { retryDelayMs: 0 });
    const again = await claimFor(admin, { workerId: 'bob' });
    expect(again.id).toBe(batch.id);
    const continued = await begun(admin, again);
    expect(continued).toMatchObject({ id: run.id, version: run.version + 1 });
    await advanced(admin, continued, { status: 'completed' });
    await failBatch(admin, again, { retryDelayMs: 0 });
    const late = await claimFor(admin);
    expect((await begin(admin, late)).body).toEqual({});
    expect(await runsOf(admin, 'one')).toHaveLength(1);
  });

  test('[RU2] what became of a question begins no run', async () => {
    const { id } = await admin.ask({}, 'one');
    await admin.answer(id);
    const batch = await claimFor(admin);
    expect((await begin(admin, batch)).body).toEqual({});
    expect(await runsOf(admin, 'one')).toEqual([]);
  });

  test('[RU3] only the worker that holds the batch begins its run, and its lease is extended by that', async () => {
    await say(admin, 'one', 'Hello');
    const batch = await claimFor(admin, { leaseMs: 10_000 });
    expect((await begin(admin, { ...batch, workerId: 'eve' })).body.code).toBe('lease-lost');
    expect((await begin(admin, { ...batch, id: 'none' })).body.code).toBe('batch-not-found');
    expect(await runsOf(admin, 'one')).toEqual([]);
    pass(9_000);
    await begun(admin, batch);
    pass(9_000);
    expect(await claim(admin, { agents: [helper], workerId: 'bob', waitMs: 0 })).toEqual([]);
    pass(1_000);
    expect(await claimFor(admin, { workerId: 'bob' })).toMatchObject({ id: batch.id, attempt: 2 });
    expect((await begin(admin, batch)).body.code).toBe('lease-lost');
  });
});

describe('whose workers are handed a thread', () => {
  test('[RU4] a claim gets batches of the agents it names, and without one only those of threads that have none', async () => {
    await admin.newThread({ id: 'two', agent: 'other' });
    await admin.newThread({ id: 'none' });
    for (const id of ['one', 'two', 'none']) await say(admin, id, 'Hello');
    const batch = await claimFor(admin, { agents: ['other', 'third'] });
    expect(batch.threadId).toBe('two');
    expect((await claimFor(admin, { agents: ['third', helper] })).threadId).toBe('one');
    const [plain] = await claim(admin, { waitMs: 30_000 });
    expect(plain?.threadId).toBe('none');
    expect(await claim(admin, { agents: [helper, 'other', 'third'], waitMs: 0 })).toEqual([]);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });

  test('[RU4] a claim of several agents that waits is served by whichever is first, up to its limit', async () => {
    await admin.newThread({ id: 'two', agent: 'other' });
    const waiting = claim(admin, { agents: ['third', 'other', helper], waitMs: 30_000, limit: 5 });
    await say(admin, 'two', 'Hello');
    expect((await waiting).map(({ threadId }) => threadId)).toEqual(['two']);
    for (let n = 0; n < 4; n++) {
      await admin.newThread({ id: `more-${n}`, agent: n % 2 ? 'other' : helper });
      await say(admin, `more-${n}`, 'Hello');
    }
    const seen = new Set<string>();
    while (seen.size < 4)
      for (const { threadId } of await claim(admin, { agents: ['other', helper], waitMs: 30_000, limit: 2 }))
        seen.add(threadId);
    expect([...seen].toSorted()).toEqual(['more-0', 'more-1', 'more-2', 'more-3']);
  });

  test('[RU5] a thread with an agent is dispatched one input at a time, unless something else was said', async () => {
    const mode = async (threadId: string) => (await admin.get(`/v1/threads/${threadId}/dispatch`)).body.mode;
    await admin.newThread({ id: 'none' });
    expect([await mode('one'), await mode('none')]).toEqual(['sequential', 'batched_sequential']);
    await settings(admin, { mode: 'immediate' }, 'one');
    expect(await mode('one')).toBe('sequential');
    await settings(admin, { mode: 'batched_sequential' }, 'one');
    expect(await mode('one')).toBe('batched_sequential');
  });

  test('[RU5] a question that was withdrawn is an input where there is an agent, and nowhere else', async () => {
    await admin.newThread({ id: 'none' });
    for (const threadId of ['none', 'one']) {
      const { id } = await admin.ask({}, threadId);
      await admin.post(`/v1/interactions/${id}/cancel`, {});
    }
    await say(admin, 'none', 'Hello');
    const batch = await claimFor(admin);
    expect(batch).toMatchObject({
      kind: 'outcomes',
      inputs: [{ type: 'cancellation', interaction: { status: 'cancelled' } }],
    });
    const [plain] = await claim(admin, { waitMs: 30_000 });
    expect(plain?.inputs.map(({ type }) => type)).toEqual(['message']);
  });

  test('[RU6] the agent of a thread changes while none of its runs is open, and what waits goes to the new one', async () => {
    await say(admin, 'one', 'Hello');
    const batch = await claimFor(admin);
    expect((await admin.patch('/v1/threads/one', { agent: 'other' })).body).toMatchObject({ agent: 'other' });
    expect((await begin(admin, batch)).body).toEqual({});
    expect((await complete(admin, batch)).body.code).toBe('lease-lost');
    expect(await claim(admin, { agents: [helper], waitMs: 0 })).toEqual([]);
    const passedOn = await claimFor(admin, { agents: ['other'] });
    expect(passedOn).toMatchObject({ id: batch.id, attempt: 1 });
    const run = await begun(admin, passedOn);
    expect(run.agent).toBe('other');
    for (const agent of [helper, null])
      expect((await admin.patch<{ code: string }>('/v1/threads/one', { agent })).body.code).toBe('run-open');
    expect((await admin.patch('/v1/threads/one', { agent: 'other', title: 'Still' })).status).toBe(200);
    await advanced(admin, run, { status: 'completed' });
    const { body } = await admin.patch('/v1/threads/one', { agent: null });
    expect(body).not.toHaveProperty('agent');
  });
});

describe('what waits when the agent changes', () => {
  test('[RU6] goes with the next input to the new one, and to nobody else', async () => {
    await settings(admin, { mode: 'batched_sequential', debounceMs: 60_000 }, 'one');
    await say(admin, 'one', 'Hello');
    await admin.patch('/v1/threads/one', { agent: 'other' });
    await say(admin, 'one', 'Are you there?');
    await allTakenIn(admin);
    pass(60_000);
    expect(await claim(admin, { agents: [helper], waitMs: 0 })).toEqual([]);
    const batch = await claimFor(admin, { agents: ['other'] });
    expect(texts(batch)).toEqual(['Hello', 'Are you there?']);
    await complete(admin, batch);
    expect(await claim(admin, { agents: [helper, 'other'], waitMs: 0 })).toEqual([]);
  });
});

describe('how far a run has come', () => {
  async function running() {
    await say(admin, 'one', 'Hello');
    return begun(admin, await claimFor(admin));
  }

  test('[RU7] what is appended is in the journal, numbered without a gap, with its time', async () => {
    const run = await running();
    const one = await advanced(admin, run, { entries: [entry(1, { data: { id: 4 } }), entry(2, { state: 'begun' })] });
    expect(one).toMatchObject({ status: 'running', version: 2, entries: 2 });
    const two = await advanced(admin, one, { entries: [entry(2)], status: 'completed' });
    expect(two).toMatchObject({ status: 'completed', version: 3, entries: 3 });
    const { data } = await journalOf(admin, run.id);
    expect(data).toMatchObject([
      { index: 1, call: 1, type: 'step', name: 'send', state: 'done', data: { id: 4 }, at: expect.any(String) },
      { index: 2, call: 2, state: 'begun' },
      { index: 3, call: 2, state: 'done' },
    ]);
    const page = await journalOf(admin, run.id, '?limit=2');
    expect(page).toEqual({ data: data.slice(0, 2), next: '2' });
    expect(await journalOf(admin, run.id, '?after=2')).toEqual({ data: data.slice(2) });
    const types = (await runEvents('one')).map(({ type }) => type);
    expect(types).toEqual(['run.started', 'run.completed']);
  });

  test('[RU8] of two workers that advance the same version one goes on, and nothing of the other is kept', async () => {
    const run = await running();
    const names = Array.from({ length: 8 }, (_, n) => `worker ${n}`);
    const replies = await Promise.all(names.map((name) => advance(admin, run, { entries: [entry(1, { name })] })));
    const winners = replies.flatMap(({ status }, n) => (status === 200 ? [names[n]] : []));
    expect(winners).toHaveLength(1);
    for (const { status, body } of replies) if (status !== 200) expect(body.code).toBe('version-conflict');
    expect((await journalOf(admin, run.id)).data.map(({ name }) => name)).toEqual(winners);
    expect((await getRun(admin, run.id)).version).toBe(2);
  });

  test('[RU8] a worker whose batch another has taken over can advance its run no more', async () => {
    await say(admin, 'one', 'Hello');
    const batch = await claimFor(admin);
    const run = await begun(admin, batch);
    await failBatch(admin, batch, { retryDelayMs: 0 });
    const taken = await begun(admin, await claimFor(admin, { workerId: 'bob' }));
    expect((await advance(admin, run, { status: 'completed' })).body.code).toBe('version-conflict');
    expect(await advanced(admin, taken, { status: 'completed' })).toMatchObject({ status: 'completed' });
  });

  test('[RU9] a run that waits is advanced by nobody, and one that has ended never changes', async () => {
    const run = await running();
    const waiting = await advanced(admin, run, forMessage);
    expect(waiting.waitingFor).toEqual([{ type: 'message' }]);
    expect((await advance(admin, waiting, {})).body).toMatchObject({ code: 'run-waiting', status: 409 });
    await say(admin, 'one', 'Go on');
    pass(30_000);
    const failed = await advanced(admin, await begun(admin, await claimFor(admin)), {
      status: 'failed',
      error: { code: 'oops', message: 'It broke', call: 2 },
    });
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'oops', call: 2 } });
    expect((await advance(admin, failed, {})).body.code).toBe('run-ended');
    expect((await admin.post(`/v1/runs/${run.id}/cancel`, {})).body.code).toBe('run-ended');
    expect(await getRun(admin, run.id)).toEqual(failed);
  });

  test('[RU7] what does not belong together, and what is too large, is refused and changes nothing', async () => {
    const run = await running();
    const error = { code: 'oops', message: 'It broke' };
    const bad: [object, string][] = [
      [{ status: 'waiting' }, '/waitingFor'],
      [{ waitingFor: [{ type: 'message' }] }, '/waitingFor'],
      [{ status: 'failed' }, '/error'],
      [{ status: 'completed', error }, '/error'],
      [{ status: 'running', result: 1 }, '/result'],
      [{ entries: [entry(1, { data: 'x'.repeat(300_000) })] }, '/entries/0/data'],
    ];
    for (const [more, pointer] of bad) {
      const { status, body } = await advance(admin, run, more);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid-input', errors: [{ pointer }] });
    }
    expect(await getRun(admin, run.id)).toEqual(run);
    expect((await journalOf(admin, run.id)).data).toEqual([]);
  });
});

describe('a run that sleeps', () => {
  const until = (ms: number) => new Date(server.clock.now() + ms).toISOString();
  const sleep = (...ms: number[]) => ({
    status: 'waiting',
    waitingFor: ms.map((each) => ({ type: 'time', until: until(each) })),
  });

  test('[RU10] is woken at the earliest of its times, once, and handed to a worker', async () => {
    await say(admin, 'one', 'Hello');
    const asleep = await work(admin, sleep(60_000, 3_600_000));
    expect(await claim(admin, { agents: [helper], waitMs: 0 })).toEqual([]);
    pass(60_000);
    const batch = await claimFor(admin);
    expect(batch.inputs).toMatchObject([{ type: 'wake', actor: { type: 'system', id: 'sleep', via: 'deadline' } }]);
    const run = await begun(admin, batch);
    expect(run).toMatchObject({ id: asleep.id, status: 'running', deliveredSeq: batch.inputs[0]?.seq });
    await advanced(admin, run, { status: 'completed' });
    await complete(admin, batch);
    pass(3_600_000);
    const types = (await runEvents('one')).map(({ type }) => type);
    expect(types).toEqual(['run.started', 'run.waiting', 'run.woken', 'run.completed']);
  });

  test('[RU10] is not woken once an input has let it go on', async () => {
    await say(admin, 'one', 'Hello');
    await work(admin, { status: 'waiting', waitingFor: [{ type: 'message' }, { type: 'time', until: until(60_000) }] });
    await say(admin, 'one', 'Here I am');
    const run = await work(admin, forMessage);
    pass(60_000);
    await say(admin, 'one', 'Still here');
    const { inputs } = await claimFor(admin);
    expect(inputs.map(({ type }) => type)).toEqual(['message']);
    expect((await getRun(admin, run.id)).status).toBe('waiting');
    expect((await runEvents('one')).map(({ type }) => type)).not.toContain('run.woken');
  });
});

describe('a run that is cancelled or done again', () => {
  test('[RU11] cancelling withdraws its questions, ends the run, and can be repeated', async () => {
    await say(admin, 'one', 'Hello');
    const batch = await claimFor(admin);
    const run = await begun(admin, batch);
    const awaited = await admin.ask({}, 'one');
    const ofRun = await admin.ask({ run: { id: run.id } }, 'one');
    const answered = await admin.ask({ run: { id: run.id } }, 'one');
    await admin.answer(answered.id);
    const interactions = [awaited, answered].map(({ id }) => ({ type: 'interaction', interactionId: id }));
    await advanced(admin, run, { status: 'waiting', waitingFor: interactions });
    await complete(admin, batch);
    const cancelled = await admin.post(`/v1/runs/${run.id}/cancel`, { reason: 'Moot' });
    expect(cancelled.body).toMatchObject({ status: 'cancelled', cancelReason: 'Moot', endedAt: expect.any(String) });
    expect(cancelled.body).not.toHaveProperty('waitingFor');
    expect((await admin.post(`/v1/runs/${run.id}/cancel`, {})).body).toEqual(cancelled.body);
    const statuses = await Promise.all(
      [awaited, ofRun, answered].map(async ({ id }) => (await admin.get(`/v1/interactions/${id}`)).body.status),
    );
    expect(statuses).toEqual(['cancelled', 'cancelled', 'answered']);
    expect((await advance(admin, run, {})).body.code).toBe('run-ended');
  });

  test('[RU12] the last run is done again over the same inputs, once for each key, when it is over', async () => {
    await say(admin, 'one', 'Hello');
    const failed = await work(admin, {
      entries: [entry(1)],
      status: 'failed',
      error: { code: 'journal-mismatch', message: 'The function has changed.', call: 1 },
    });
    const restart = () => admin.post(`/v1/runs/${failed.id}/restart`, {}, { 'idempotency-key': 'again' });
    const { status, body } = await restart();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ restartOf: failed.id, status: 'running', version: 1, entries: 0 },
      ...{ fromSeq: failed.fromSeq, deliveredSeq: failed.deliveredSeq },
    });
    expect((await restart()).body).toEqual(body);
    expect((await admin.post(`/v1/runs/${failed.id}/restart`)).body.code).toBe('run-open');
    const batch = await claimFor(admin);
    expect(batch.inputs.map(({ type }) => type)).toEqual(['wake']);
    const run = await begun(admin, batch);
    expect(run.id).toBe(body.id);
    await advanced(admin, run, { status: 'completed' });
    await complete(admin, batch);
    expect((await admin.post(`/v1/runs/${failed.id}/restart`)).body.code).toBe('run-superseded');
    expect(await getRun(admin, failed.id)).toEqual(failed);
    await admin.patch('/v1/threads/one', { agent: null });
    expect((await admin.post(`/v1/runs/${run.id}/restart`)).body.code).toBe('run-superseded');
  });
});

describe('a run whose batch is given up', () => {
  test('[RU15] fails with it, in the same transaction, and can be done again', async () => {
    await say(admin, 'one', 'Hello');
    const asked = await work(admin, forMessage);
    await say(admin, 'one', 'Go on');
    const batch = await claimFor(admin);
    await failBatch(admin, batch, { retryable: false, reason: 'The worker is broken' });
    const error = { code: 'given-up', message: 'The worker is broken' };
    const failed = await getRun(admin, asked.id);
    expect(failed).toMatchObject({ status: 'failed', error, deliveredSeq: batch.inputs[0]?.seq });
    const tail = (await readLog(admin, 'one')).slice(-3).map(({ type }) => type);
    expect(tail).toEqual(['message.created', 'run.resumed', 'run.failed']);
    expect((await admin.get('/v1/threads/one/turn')).body).toEqual({ isSettled: true, run: failed });
    expect((await admin.post(`/v1/runs/${failed.id}/restart`)).status).toBe(201);
    expect((await claimFor(admin)).inputs).toMatchObject([{ type: 'wake' }]);
  });

  test('[RU15] is reported although no worker lived long enough to begin it', async () => {
    await say(admin, 'one', 'Hello');
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect((await claimFor(admin, { leaseMs: 1_000 })).attempt).toBe(attempt);
      pass(1_000);
    }
    expect(await claim(admin, { agents: [helper], waitMs: 0 })).toEqual([]);
    expect(await runsOf(admin, 'one')).toMatchObject([{ status: 'failed', error: { code: 'given-up' } }]);
  });
});

describe('whose runs they are', () => {
  test('[X2][RU13] a run of another org does not exist', async () => {
    await say(admin, 'one', 'Hello');
    const batch = await claimFor(admin);
    const run = await begun(admin, batch);
    const other = await admin.withOrg('acme');
    await other.newThread({ id: 'one', agent: helper });
    const calls = [
      other.get(`/v1/runs/${run.id}`),
      other.get(`/v1/runs/${run.id}/journal`),
      advance(other, run, {}),
      other.post(`/v1/runs/${run.id}/cancel`, {}),
      other.post(`/v1/runs/${run.id}/restart`),
    ];
    for (const { status, body } of await Promise.all(calls))
      expect([status, body.code]).toEqual([404, 'run-not-found']);
    expect((await begin(other, batch)).body.code).toBe('batch-not-found');
    expect(await runsOf(other, 'one')).toEqual([]);
    expect(await getRun(admin, run.id)).toEqual(run);
  });

  test('[X4][RU13] a person waits for the turn of their thread, and sees its runs and no journal', async () => {
    await admin.newThread({ id: 'two', agent: helper });
    await say(admin, 'two', 'Hello');
    const elsewhere = await work(admin, { status: 'completed' });
    await say(admin, 'one', 'Hello');
    const run = await work(admin, { status: 'completed' });
    const person = await admin.withToken({ threadId: 'one' });
    expect((await person.get('/v1/threads/one/turn')).body).toEqual({ isSettled: true, run });
    expect((await person.get(`/v1/runs/${run.id}`)).body).toEqual(run);
    for (const path of ['/v1/threads/two/turn', `/v1/runs/${elsewhere.id}`])
      expect((await person.get(path)).status).toBe(404);
    for (const path of ['/v1/runs?threadId=one', `/v1/runs/${run.id}/journal`])
      expect((await person.get(path)).status).toBe(403);
    expect((await person.post(`/v1/runs/${run.id}/cancel`, {})).status).toBe(403);
  });

  test('[RU13] a person sees neither why a run failed nor what came of it', async () => {
    const person = await admin.withToken({ threadId: 'one' });
    const seen = async ({ id }: Run) => {
      const { body } = await person.get<Run>(`/v1/runs/${id}`);
      expect((await person.get('/v1/threads/one/turn')).body).toEqual({ isSettled: true, run: body });
      return body;
    };
    await say(admin, 'one', 'Hello');
    const { result, ...done } = await work(admin, { status: 'completed', result: { owner: 'internal' } });
    expect(result).toEqual({ owner: 'internal' });
    expect(await seen(done)).toEqual(done);
    await say(admin, 'one', 'Hello');
    const error = { code: 'oops', message: 'postgres://user:password@host', call: 2 };
    const failed = await work(admin, { status: 'failed', error });
    expect(await seen(failed)).toEqual({ ...failed, error: { code: 'oops', message: 'The run failed.' } });
    expect(await getRun(admin, failed.id)).toEqual({ ...failed, error });
  });
});

test('[RU7] runs are listed by thread, status and agent, in both orders', async () => {
  await admin.newThread({ id: 'two', agent: helper });
  await say(admin, 'one', 'Hello');
  const one = await work(admin, { status: 'completed' });
  await say(admin, 'two', 'Hello');
  const two = await work(admin, forMessage);
  await say(admin, 'one', 'Hello');
  const three = await work(admin, { status: 'completed' });
  const ids = async (query: string) =>
    (await admin.get<{ data: { id: string }[] }>(`/v1/runs?${query}`)).body.data.map(({ id }) => id);
  expect(await ids('')).toEqual([one.id, two.id, three.id]);
  expect(await ids('order=newest&limit=2')).toEqual([three.id, two.id]);
  expect(await ids('threadId=one')).toEqual([one.id, three.id]);
  expect(await ids('status=waiting')).toEqual([two.id]);
  expect(await ids(`agent=${helper}&status=completed&order=newest`)).toEqual([three.id, one.id]);
  expect(await ids('agent=nobody')).toEqual([]);
});
