/** Dispatch: inputs of threads, handed to workers in leased batches. */
import type { Batch, Interaction, LogEvent } from '@holdpoint/protocol';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readLog } from '../../read-everything.ts';
import { type SpecClient, type SpecServer, startSpecServer } from '../openapi/spec-server.ts';
import { allTakenIn, claim, claimOne, complete, failBatch, say, settings, texts } from './dispatcher.ts';

let server: SpecServer;
let admin: SpecClient;

beforeEach(async () => {
  server = await startSpecServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  ({ admin } = server);
  await admin.newThread({ id: 'one' });
  await admin.newThread({ id: 'two' });
  // What waits for a time is in tests of its own.
  await settings(admin, { debounceMs: 0, from: 'start' });
});

const pass = (ms: number) => {
  server.clock.offsetMs += ms;
};

/** Lets all that was said come together, and then be ready. */
async function gathered(say: () => Promise<void>): Promise<void> {
  await settings(admin, { debounceMs: 60_000 });
  await say();
  await allTakenIn(admin);
  pass(60_000);
}

const heartbeat = ({ id, workerId }: Batch, more: object = {}) =>
  admin.post<{ code: string; leasedUntil: string }>(`/v1/dispatch/batches/${id}/heartbeat`, { workerId, ...more });

test('[DI13] the first claim of an org finds what is ready, though it does not wait', async () => {
  const { body } = await admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'new' });
  const other = admin.as(body.adminKey.secret);
  await other.post('/v1/threads', { id: 'new' });
  for (const text of ['one', 'two', 'three']) await say(other, 'new', text);
  // Longer than the debounce.
  pass(10_000);
  const claims = await Promise.all([claim(other, { waitMs: 0 }), claim(other, { waitMs: 0 })]);
  expect(claims.flat().map(texts)).toEqual([['one', 'two', 'three']]);
});

describe('what an input is', () => {
  test('[DI1] messages of people, answers, declines and expiries, with all that an agent needs', async () => {
    const run = { id: 'run-1', toolCallId: 'call-1' };
    const trace = { span: 'abc' };
    const metadata = { order: 4 };
    const deadline = { at: new Date(server.clock.now() + 3_600_000).toISOString(), outcome: 'expire' };
    const asked = await admin.ask({ run, trace, metadata }, 'one');
    const refused = await admin.ask({}, 'one');
    const late = await admin.ask({ deadline }, 'one');
    await gathered(async () => {
      await say(admin, 'one', 'Hello');
      await admin.answer(asked.id);
      await admin.post(`/v1/interactions/${refused.id}/decline`, { reason: 'Not now' });
    });
    const { id, inputs, ...batch } = await claimOne(admin);
    expect(batch).toMatchObject({ threadId: 'one', kind: 'messages', workerId: 'ann', attempt: 1 });
    expect(inputs.map(({ type }) => type)).toEqual(['message', 'answer', 'decline']);
    expect(inputs[0]).toMatchObject({ actor: { type: 'agent' }, message: { role: 'user', threadId: 'one' } });
    expect(inputs[1]?.interaction).toEqual({
      id: asked.id,
      kind: 'choice',
      title: 'Deploy?',
      status: 'answered',
      answer: expect.objectContaining({ decision: 'accepted', values: { choice: 'yes' } }),
      run,
      trace,
      metadata,
    });
    expect(inputs[2]?.interaction).toMatchObject({
      id: refused.id,
      answer: { decision: 'declined', reason: 'Not now' },
    });
    await admin.post(`/v1/dispatch/batches/${id}/complete`, { workerId: 'ann' });

    await settings(admin, { debounceMs: 0 });
    pass(3_600_000);
    const expired = await claimOne(admin);
    expect(expired.kind).toBe('outcomes');
    expect(expired.inputs).toMatchObject([
      {
        type: 'expiry',
        actor: { type: 'system', id: 'deadline', via: 'deadline' },
        interaction: { id: late.id, status: 'expired' },
      },
    ]);
    const log = await readLog(admin, 'one');
    const placeOf = ({ cursor, seq, at }: LogEvent) => ({ id: cursor, seq, at });
    for (const input of [...inputs, ...expired.inputs])
      expect(log.map(placeOf)).toContainEqual({ id: input.id, seq: input.seq, at: input.at });
  });

  test('[DI1] answers that a deadline or a grant gave count too', async () => {
    const options = [
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'no', label: 'No', kind: 'reject_once' },
    ];
    const approval = { kind: 'approval', options, grant: { key: 'k', scope: 'thread' } };
    await admin.answer((await admin.ask(approval, 'one')).id, { decision: 'always' });
    await admin.ask(approval, 'one');
    const deadline = { at: new Date(server.clock.now() + 3_600_000).toISOString(), outcome: 'recommended' };
    await admin.ask({ deadline, recommendations: { choice: 'no' } }, 'two');
    pass(3_600_000);
    const automatic: (string | undefined)[] = [];
    while (automatic.length < 3) {
      const batch = await claimOne(admin);
      automatic.push(...batch.inputs.map(({ interaction }) => interaction?.answer?.automatic));
      await complete(admin, batch);
    }
    expect(automatic.sort()).toEqual(['deadline', 'grant', undefined]);
  });

  test('[DI1] what agents, tools and the system say, votes, and what is withdrawn are none', async () => {
    for (const role of ['agent', 'tool', 'system']) await say(admin, 'one', 'Not for me', role);
    const asked = await admin.ask({ resolution: { mode: 'quorum', count: 2 } }, 'one');
    await admin.answer(asked.id);
    await admin.post(`/v1/interactions/${asked.id}/cancel`);
    await say(admin, 'one', 'For me');
    expect(texts(await claimOne(admin))).toEqual(['For me']);
  });
});

describe('one thread', () => {
  test('[DI2][DI3] batched: all that waits is a batch, and what comes meanwhile is the next', async () => {
    await gathered(async () => {
      for (const text of ['a', 'b', 'c']) await say(admin, 'one', text);
    });
    const first = await claimOne(admin);
    expect(texts(first)).toEqual(['a', 'b', 'c']);
    for (const text of ['d', 'e']) await say(admin, 'one', text);
    await allTakenIn(admin);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
    const waiting = claimOne(admin, { workerId: 'ben' });
    expect(await complete(admin, first)).toMatchObject({ status: 200, body: {} });
    pass(60_000);
    expect(texts(await waiting)).toEqual(['d', 'e']);
  });

  test('[DI2][DI3] sequential: one input at a time, in order', async () => {
    await settings(admin, { mode: 'sequential' });
    const said = ['a', 'b', 'c', 'd'];
    for (const text of said) await say(admin, 'one', text);
    for (const text of said) {
      const batch = await claimOne(admin);
      expect(texts(batch)).toEqual([text]);
      expect(await claim(admin, { workerId: 'ben', waitMs: 0, limit: 50 })).toEqual([]);
      await complete(admin, batch);
    }
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });

  test('[DI2][DI3] immediate: each at once, by itself', async () => {
    await settings(admin, { mode: 'immediate' }, 'one');
    for (const text of ['a', 'b', 'c']) await say(admin, 'one', text);
    const batches: Batch[] = [];
    while (batches.length < 3) batches.push(...(await claim(admin, { limit: 50, waitMs: 30_000 })));
    expect(batches.flatMap(texts).sort()).toEqual(['a', 'b', 'c']);
    expect(new Set(batches.map(({ id }) => id)).size).toBe(3);
    for (const batch of batches) expect((await complete(admin, batch)).status).toBe(200);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });

  test('[DI3] a batch has a hundred inputs at most, and the rest comes next, past all that is no input', async () => {
    await gathered(async () => {
      for (let n = 0; n < 250; n++) await say(admin, 'one', `${n}`, n % 2 === 0 ? 'user' : 'agent');
    });
    const first = await claimOne(admin);
    await complete(admin, first);
    const second = await claimOne(admin);
    await complete(admin, second);
    expect([first.inputs.length, second.inputs.length]).toEqual([100, 25]);
    const said = [...texts(first), ...texts(second)];
    expect(said).toEqual(Array.from({ length: 125 }, (_, index) => `${index * 2}`));
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });
});

describe('when a batch is ready', () => {
  beforeEach(() => settings(admin, { debounceMs: 60_000, typingGraceMs: 120_000, maxWaitMs: 300_000 }));

  const isReady = async () => {
    const [batch] = await claim(admin, { waitMs: 0 });
    return batch !== undefined;
  };
  const typing = () => admin.post('/v1/threads/one/typing');

  test('[DI4] when nothing has come for the debounce', async () => {
    await say(admin, 'one', 'a');
    await allTakenIn(admin);
    pass(50_000);
    await say(admin, 'one', 'b');
    await allTakenIn(admin);
    pass(50_000);
    expect(await isReady()).toBe(false);
    const waiting = claimOne(admin);
    pass(10_000);
    expect(texts(await waiting)).toEqual(['a', 'b']);
  });

  test('[DI4] when nobody types any more', async () => {
    await say(admin, 'one', 'a');
    await allTakenIn(admin);
    expect(await typing()).toMatchObject({ status: 200, body: {} });
    pass(119_000);
    expect(await isReady()).toBe(false);
    pass(1_000);
    expect(texts(await claimOne(admin))).toEqual(['a']);
    expect(await readLog(admin, 'one')).toHaveLength(2);
  });

  test('[DI4] at the latest after the maximum wait', async () => {
    await say(admin, 'one', 'a');
    await allTakenIn(admin);
    for (let n = 0; n < 5; n++) {
      pass(59_000);
      await typing();
      expect(await isReady()).toBe(false);
    }
    pass(5_000);
    expect(texts(await claimOne(admin))).toEqual(['a']);
  });

  test('[DI4] an agent that types holds nothing back', async () => {
    await say(admin, 'one', 'a');
    await allTakenIn(admin);
    pass(59_000);
    expect((await admin.post('/v1/threads/one/typing', { agentId: 'bot' })).status).toBe(200);
    pass(1_000);
    expect(texts(await claimOne(admin))).toEqual(['a']);
  });

  test('[DI4] a person may say that they type in their thread, and in no other', async () => {
    const ada = await admin.withToken({ threadId: 'one' });
    expect((await ada.post('/v1/threads/one/typing')).status).toBe(200);
    expect((await ada.post('/v1/threads/two/typing')).status).toBe(404);
  });
});

describe('a lease', () => {
  test('[DI5][DI6] that ends is taken over, and its first holder has lost it', async () => {
    await say(admin, 'one', 'a');
    const first = await claimOne(admin, { leaseMs: 60_000 });
    expect(Date.parse(first.leasedUntil)).toBeGreaterThan(server.clock.now() + 50_000);
    expect(await claim(admin, { workerId: 'ben', waitMs: 0 })).toEqual([]);
    const waiting = claimOne(admin, { workerId: 'ben' });
    pass(60_000);
    const second = await waiting;
    expect(second).toMatchObject({ id: first.id, attempt: 2, workerId: 'ben', inputs: first.inputs });
    for (const call of [complete(admin, first), failBatch(admin, first), heartbeat(first)])
      expect(await call).toMatchObject({ status: 409, body: { code: 'lease-lost', current: { workerId: 'ben' } } });
    expect((await complete(admin, second)).status).toBe(200);
    expect(await complete(admin, second)).toMatchObject({ status: 404, body: { code: 'batch-not-found' } });
  });

  test('[DI5] is kept by heartbeats', async () => {
    await say(admin, 'one', 'a');
    const batch = await claimOne(admin, { leaseMs: 60_000 });
    for (let n = 0; n < 3; n++) {
      pass(50_000);
      const { body } = await heartbeat(batch);
      expect(Date.parse(body.leasedUntil)).toBeGreaterThan(server.clock.now() + 50_000);
    }
    expect(await claim(admin, { workerId: 'ben', waitMs: 0 })).toEqual([]);
    expect((await heartbeat(batch, { extendMs: 600_000 })).status).toBe(200);
    pass(500_000);
    expect(await claim(admin, { workerId: 'ben', waitMs: 0 })).toEqual([]);
    expect((await complete(admin, batch)).status).toBe(200);
  });

  test('[DI5] that is over is still its own while nobody else has taken the batch', async () => {
    await say(admin, 'one', 'a');
    const batch = await claimOne(admin);
    pass(3_600_000);
    expect((await heartbeat(batch)).status).toBe(200);
    pass(3_600_000);
    expect((await complete(admin, batch)).status).toBe(200);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });

  test('[DI12][I1] complete and fail may be repeated with their key', async () => {
    await say(admin, 'one', 'a');
    const key = { 'idempotency-key': 'done' };
    const batch = await claimOne(admin);
    expect(await complete(admin, batch, key)).toMatchObject({ status: 200, body: {} });
    expect(await complete(admin, batch, key)).toMatchObject({ status: 200, body: {} });
    expect((await complete(admin, batch)).status).toBe(404);
  });
});

describe('a batch that cannot be done', () => {
  test('[DI6] is tried again, as it was, after a pause', async () => {
    await say(admin, 'one', 'a');
    const first = await claimOne(admin);
    await say(admin, 'one', 'b');
    await allTakenIn(admin);
    await failBatch(admin, first, { retryDelayMs: 60_000 });
    expect((await complete(admin, first)).status).toBe(409);
    pass(59_000);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
    pass(1_000);
    const second = await claimOne(admin, { workerId: 'ben' });
    expect(second).toMatchObject({ id: first.id, attempt: 2, inputs: first.inputs });
    await complete(admin, second);
    expect(texts(await claimOne(admin))).toEqual(['b']);
  });

  const messagesOfSystem = async () =>
    (await readLog(admin, 'one')).flatMap(({ data }) => {
      const message = 'message' in data ? data.message : undefined;
      return message?.role === 'system' ? [message] : [];
    });

  test('[DI7] is given up after eight attempts, with a message in the thread, which continues', async () => {
    await say(admin, 'one', 'a');
    for (let attempt = 1; attempt <= 8; attempt++) {
      const batch = await claimOne(admin);
      expect(batch.attempt).toBe(attempt);
      if (attempt === 8) await say(admin, 'one', 'b');
      await allTakenIn(admin);
      expect((await failBatch(admin, batch, { retryDelayMs: 0 })).status).toBe(200);
    }
    const [notice, ...others] = await messagesOfSystem();
    expect(notice).toMatchObject({ by: { type: 'system', id: 'dispatch', via: 'local' } });
    expect(notice?.metadata).toMatchObject({ dispatch: { attempts: 8, reason: 'it broke', fromSeq: 2, toSeq: 2 } });
    expect(others).toEqual([]);
    expect(texts(await claimOne(admin))).toEqual(['b']);
  });

  test('[DI7] is given up though its workers die, every one', async () => {
    await say(admin, 'one', 'a');
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect((await claimOne(admin, { workerId: `mortal ${attempt}` })).attempt).toBe(attempt);
      pass(3_600_000);
    }
    expect(await claim(admin, { waitMs: 100 })).toEqual([]);
    expect(await messagesOfSystem()).toMatchObject([{ metadata: { dispatch: { attempts: 8 } } }]);
    pass(3_600_000);
    expect(await claim(admin, { waitMs: 100 })).toEqual([]);
  });

  test('[DI7] is given up at once where another try is no use', async () => {
    await say(admin, 'one', 'a');
    await failBatch(admin, await claimOne(admin), { retryable: false });
    expect(await messagesOfSystem()).toMatchObject([{ metadata: { dispatch: { attempts: 1, reason: 'it broke' } } }]);
    pass(3_600_000);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });
});

describe('settings', () => {
  const patch = (path: string, body: object) => admin.call(path, { method: 'PATCH', body });

  test('[DI8] of a thread go before those of the org, and null takes them back', async () => {
    const defaults = { mode: 'batched_sequential', debounceMs: 600, typingGraceMs: 2_000, maxWaitMs: 30_000 };
    await settings(admin, { debounceMs: null });
    expect((await admin.get('/v1/dispatch')).body).toEqual(defaults);
    expect((await patch('/v1/dispatch', { mode: 'sequential' })).body).toEqual({ ...defaults, mode: 'sequential' });
    const thread = { ...defaults, mode: 'immediate', maxWaitMs: 5 };
    const own = { mode: 'immediate', maxWaitMs: 5 };
    expect((await patch('/v1/threads/one/dispatch', own)).body).toEqual(thread);
    expect((await admin.get('/v1/threads/one/dispatch')).body).toEqual(thread);
    expect((await admin.get('/v1/threads/two/dispatch')).body).toMatchObject({ mode: 'sequential' });
    expect((await patch('/v1/threads/one/dispatch', { mode: null })).body).toMatchObject({ mode: 'sequential' });
  });

  test('[DI8] are read by keys and changed by admins', async () => {
    const agent = await admin.withKey();
    expect((await agent.get('/v1/dispatch')).status).toBe(200);
    for (const path of ['/v1/dispatch', '/v1/threads/one/dispatch'])
      expect((await agent.call(path, { method: 'PATCH', body: { mode: 'immediate' } })).status).toBe(403);
    expect((await patch('/v1/threads/none/dispatch', { mode: 'immediate' })).status).toBe(404);
    expect((await patch('/v1/threads/one/dispatch', { from: 'now' })).status).toBe(400);
    await say(admin, 'one', 'a');
    const batch = await claimOne(agent);
    expect((await complete(agent, batch)).status).toBe(200);
  });

  test('[DI8] hold for what comes after them', async () => {
    await settings(admin, { debounceMs: 60_000 });
    await say(admin, 'one', 'a');
    await allTakenIn(admin);
    await settings(admin, { debounceMs: 0 });
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
    await say(admin, 'one', 'b');
    expect(texts(await claimOne(admin))).toEqual(['a', 'b']);
  });
});

describe('where it begins', () => {
  const newOrg = async (): Promise<SpecClient> => {
    const other = await admin.withOrg('other');
    await other.newThread({ id: 'one' });
    await settings(other, { debounceMs: 0 });
    return other;
  };

  test('[DI9] with the first input of the org, however long nobody claimed', async () => {
    const other = await newOrg();
    await say(other, 'one', 'long ago');
    await say(other, 'one', 'lately');
    const before = await server.place.contents();
    // A stored name: cspell:ignore lane
    expect(before).not.toContain('lane');
    expect(texts(await claimOne(other))).toEqual(['long ago', 'lately']);
  });

  test('[DI9] or from now on, which is settled once', async () => {
    const other = await newOrg();
    await say(other, 'one', 'long ago');
    await settings(other, { from: 'now' });
    await say(other, 'one', 'lately');
    const batch = await claimOne(other);
    expect(texts(batch)).toEqual(['lately']);
    await complete(other, batch);
    await settings(other, { from: 'start' });
    await say(other, 'one', 'now');
    expect(texts(await claimOne(other))).toEqual(['now']);
  });

  test('[X2] what belongs to another org is not there', async () => {
    const other = await newOrg();
    await say(admin, 'one', 'a');
    const batch = await claimOne(admin);
    expect(await claim(other, { waitMs: 0 })).toEqual([]);
    expect(await complete(other, batch)).toMatchObject({ status: 404, body: { code: 'batch-not-found' } });
    expect((await complete(admin, batch)).status).toBe(200);
  });
});

describe('a claim', () => {
  test('[DI11] returns as soon as there is something', async () => {
    const waiting = claimOne(admin);
    await say(admin, 'one', 'a');
    expect(texts(await waiting)).toEqual(['a']);
  });

  test('[DI11] returns with nothing when its time is up', async () => {
    expect(await claim(admin, { waitMs: 1 })).toEqual([]);
  });

  test('[DI11] takes many threads at once, and those who wait take turns', async () => {
    const threads = await Promise.all(Array.from({ length: 12 }, () => admin.newThread()));
    await gathered(async () => {
      await Promise.all(threads.map(({ id }) => say(admin, id, id)));
    });
    const claims = ['ann', 'ben', 'cy'].map((workerId) => claim(admin, { workerId, limit: 4, waitMs: 30_000 }));
    const batches = (await Promise.all(claims)).flat();
    const rest = await claim(admin, { limit: 50, waitMs: 0 });
    expect([...batches, ...rest].map(({ threadId }) => threadId).sort()).toEqual(threads.map(({ id }) => id).sort());
  });

  test('[DI11] is let go when the server stops', async () => {
    const waiting = claim(admin, { waitMs: 60_000 });
    await expect.poll(async () => (await claim(admin, { workerId: 'ben', waitMs: 0 })).length).toBe(0);
    await server.stop();
    expect(await waiting).toEqual([]);
  });

  test('[DI11] of a caller that hung up takes nothing with it', async () => {
    const next = async () => {
      const [batch] = await claim(admin, { waitMs: 3_000 });
      if (batch) return batch;
      // It was on its way to the caller in that very moment, and only its lease can tell.
      pass(3_600_000);
      return claimOne(admin);
    };
    for (let round = 0; round < 20; round++) {
      const gone = new AbortController();
      const body = { workerId: 'gone', waitMs: 60_000, leaseMs: 3_600_000 };
      const waiting = admin.call('/v1/dispatch/claim', { method: 'POST', body, signal: gone.signal });
      const ended = waiting.then(
        ({ body }) => (body as unknown as { data: Batch[] }).data,
        () => [],
      );
      // Some hang up before it is ready, some while it is leased to them.
      const saying = say(admin, 'one', `${round}`);
      if (round % 4 > 0) await saying;
      gone.abort();
      await saying;
      const received = await ended;
      const batch = received[0] ?? (await next());
      expect(texts(batch)).toEqual([`${round}`]);
      expect((await complete(admin, batch)).status).toBe(200);
    }
  });

  test('[DI10] finds after a restart what was there before', async () => {
    await say(admin, 'one', 'a');
    const asked: Interaction = await admin.ask({}, 'two');
    await admin.answer(asked.id);
    await server.restart();
    ({ admin } = server);
    const batches = [await claimOne(admin), await claimOne(admin)];
    expect(batches.map(({ threadId }) => threadId).sort()).toEqual(['one', 'two']);
    await server.restart();
    ({ admin } = server);
    for (const batch of batches) expect((await complete(admin, batch)).status).toBe(200);
    expect(await claim(admin, { waitMs: 0 })).toEqual([]);
  });
});
