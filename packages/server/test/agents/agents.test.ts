/** Agents on a real server, through the client as a worker elsewhere would call it. */
import { type Agent, type AgentContext, agent, runAgents } from '@holdpoint/agents';
import { httpService } from '@holdpoint/client';
import { form, type Run, select, text } from '@holdpoint/protocol';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../test-server.ts';
import { answer, journalOf, pendingOf, saidIn, settled, startThread } from './agent-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

let count = 0;
/** Each test has an agent of a name of its own, and a worker that ends with it. */
function serve(run: Agent['run'], name = `agent-${++count}`) {
  const errors: unknown[] = [];
  const service = httpService({ url: server.url, key: adminKey });
  const worker = runAgents({ service, agents: [agent(name, run)], onError: (error) => errors.push(error) });
  onTestFinished(() => worker.stop());
  return { name, errors, stop: () => worker.stop() };
}

const getRun = async ({ id }: Run) => (await server.admin.get<Run>(`/v1/runs/${id}`)).body;
const one = (name: string) => form({ [name]: text() }, { title: name });

describe('a conversation', () => {
  test('[DA3] [DA5] says, asks, reads messages and streams', async () => {
    const { name } = serve(async (ctx) => {
      const hello = await ctx.message();
      await ctx.say(`You said ${hello.blocks[0]?.payload.text}`);
      const outcome = await ctx.ask(form({ env: select(['prod', 'test']) }, { title: 'Where?' }));
      if (outcome.status !== 'answered') return outcome.status;
      const env: 'prod' | 'test' = outcome.values.env;
      const words = await ctx.say(async function* () {
        yield 'Deploying ';
        yield `to ${env}`;
        return 2;
      });
      const last = await ctx.message();
      return [env, words, last.blocks[0]?.payload.text];
    });
    const threadId = await startThread(server.admin, name, 'Hello');
    const waiting = await settled(server.admin, threadId);
    const [question] = await pendingOf(server.admin, threadId);
    expect(waiting).toMatchObject({
      status: 'waiting',
      waitingFor: [{ type: 'interaction', interactionId: question?.id }],
    });
    expect(question?.run).toEqual({ id: waiting.id });
    await answer(server.admin, question ?? { id: '' }, { env: 'prod' });
    expect(await settled(server.admin, threadId)).toMatchObject({
      status: 'waiting',
      waitingFor: [{ type: 'message' }],
    });
    await server.admin.post(`/v1/threads/${threadId}/messages`, { text: 'Thanks', role: 'user' });
    expect(await settled(server.admin, threadId)).toMatchObject({ status: 'completed', result: ['prod', 2, 'Thanks'] });
    expect(await saidIn(server.admin, threadId)).toEqual(['You said Hello', 'Deploying to prod']);
  });

  test('[DA2] parallel questions may be answered in any order', async () => {
    const { name } = serve(async (ctx) => {
      const order: string[] = [];
      const hear = async (each: string) => {
        await ctx.ask(one(each));
        order.push(each);
        await ctx.say(`Heard ${each}`);
      };
      await Promise.all(['a', 'b', 'c'].map(hear));
      return order;
    });
    const threadId = await startThread(server.admin, name);
    for (const title of ['c', 'a', 'b']) {
      await settled(server.admin, threadId);
      const question = (await pendingOf(server.admin, threadId)).find((each) => each.title === title);
      await answer(server.admin, question ?? { id: '' }, { [title]: 'x' });
    }
    expect(await settled(server.admin, threadId)).toMatchObject({ status: 'completed', result: ['c', 'a', 'b'] });
  });

  test('[DA6] a message in place of an answer', async () => {
    const { name } = serve(async (ctx) => {
      await ctx.message();
      const outcome = await ctx.ask(one('a'), { orMessage: true });
      return outcome.status === 'message' ? outcome.message.blocks[0]?.payload.text : outcome.status;
    });
    const threadId = await startThread(server.admin, name);
    await settled(server.admin, threadId);
    await server.admin.post(`/v1/threads/${threadId}/messages`, { text: 'Stop', role: 'user' });
    expect(await settled(server.admin, threadId)).toMatchObject({ status: 'completed', result: 'Stop' });
    expect(await pendingOf(server.admin, threadId)).toEqual([]);
  });
});

describe('a run that does not come to its end', () => {
  test('[DA9] of a changed function fails with the step, and does it anew when it is restarted', async () => {
    const first = serve(async (ctx) => {
      await ctx.step('charge', () => 1);
      await ctx.ask(one('a'));
    });
    const threadId = await startThread(server.admin, first.name);
    await settled(server.admin, threadId);
    await first.stop();
    const [question] = await pendingOf(server.admin, threadId);
    const { errors } = serve(async (ctx) => ctx.step('refund', () => 2), first.name);
    await answer(server.admin, question ?? { id: '' }, { a: 'x' });
    const failed = await settled(server.admin, threadId);
    expect(failed).toMatchObject({
      status: 'failed',
      error: {
        code: 'journal-mismatch',
        call: 1,
        message: 'Call 1 is step "charge" in the journal, but the function now runs step "refund" there.',
      },
    });
    expect(errors).toHaveLength(1);
    await server.admin.post(`/v1/runs/${failed.id}/restart`);
    expect(await settled(server.admin, threadId)).toMatchObject({
      status: 'completed',
      result: 2,
      restartOf: failed.id,
    });
  });

  test('[DA8] is cancelled while it waits, and its question is withdrawn', async () => {
    const { name, errors } = serve((ctx) => ctx.ask(one('a')));
    const threadId = await startThread(server.admin, name);
    const run = await settled(server.admin, threadId);
    const [question] = await pendingOf(server.admin, threadId);
    await server.admin.post(`/v1/runs/${run.id}/cancel`, { reason: 'no longer needed' });
    expect(await settled(server.admin, threadId)).toMatchObject({ status: 'cancelled' });
    expect((await answer(server.admin, question ?? { id: '' }, { a: 'x' })).status).toBe(409);
    expect(errors).toEqual([]);
  });

  test('[DA8] is cancelled while a step runs, and what the step gives goes nowhere', async () => {
    const ran = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const { name, errors } = serve(async (ctx) => {
      await ctx.step('slow', async () => {
        ran.resolve();
        await go.promise;
      });
      await ctx.say('never');
    });
    const threadId = await startThread(server.admin, name);
    await ran.promise;
    const { body } = await server.admin.get<{ data: Run[] }>(`/v1/runs?threadId=${threadId}`);
    const [run] = body.data as [Run];
    await server.admin.post(`/v1/runs/${run.id}/cancel`);
    go.resolve();
    expect(await settled(server.admin, threadId)).toMatchObject({ id: run.id, status: 'cancelled' });
    expect(await saidIn(server.admin, threadId)).toEqual([]);
    expect(await journalOf(server.admin, run)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('[DA4] has a step that fails, is tried again, and fails for good', async () => {
    const tries: number[] = [];
    const { name, errors } = serve(async (ctx: AgentContext) => {
      await ctx.step(
        'pay',
        ({ attempt }) => {
          tries.push(attempt);
          throw new Error(`no money ${attempt}`);
        },
        { attempts: 3, firstDelayMs: 10 },
      );
    });
    const threadId = await startThread(server.admin, name);
    const run = await settled(server.admin, threadId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'failed', message: 'no money 3', call: 1 } });
    expect(tries).toEqual([1, 2, 3]);
    expect((await journalOf(server.admin, run)).map(({ state }) => state)).toEqual(['begun', 'begun', 'failed']);
    expect(errors).toMatchObject([{ message: `Run ${run.id} of agent "${name}" has failed.` }]);
  });
});

describe('a worker', () => {
  test('[DA10] that stops lets its call end and gives the rest to another', async () => {
    const began = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const did: string[] = [];
    const run: Agent['run'] = async (ctx) => {
      for (const name of ['one', 'two'])
        await ctx.step(name, async () => {
          did.push(name);
          began.resolve();
          await go.promise;
        });
      return 'done';
    };
    const first = serve(run);
    const threadId = await startThread(server.admin, first.name);
    await began.promise;
    const stopped = first.stop();
    go.resolve();
    await stopped;
    expect(did).toEqual(['one']);
    const [{ id }] = (await server.admin.get<{ data: [Run] }>(`/v1/runs?threadId=${threadId}`)).body.data;
    expect(await journalOf(server.admin, { id })).toMatchObject([{ name: 'one', state: 'done' }]);
    serve(run, first.name);
    expect(await settled(server.admin, threadId)).toMatchObject({ id, status: 'completed', result: 'done' });
    expect(did).toEqual(['one', 'two']);
  });

  test('[DA10] that stops does not wait for ever, and another does the call again', async () => {
    const began = Promise.withResolvers<void>();
    let signalled = false;
    const first = serve((ctx) =>
      ctx.step('hangs', async ({ signal }) => {
        signal.addEventListener('abort', () => {
          signalled = true;
        });
        began.resolve();
        await new Promise(() => {});
      }),
    );
    const threadId = await startThread(server.admin, first.name);
    await began.promise;
    await first.stop();
    expect(signalled).toBe(true);
    serve((ctx) => ctx.step('hangs', () => 'no longer'), first.name);
    expect(await settled(server.admin, threadId)).toMatchObject({ status: 'completed', result: 'no longer' });
  });

  test('[DA10] works on many threads at a time', async () => {
    const both = Promise.withResolvers<void>();
    let running = 0;
    const { name } = serve((ctx) =>
      ctx.step('meet', async () => {
        if (++running === 5) both.resolve();
        await both.promise;
      }),
    );
    const threads = await Promise.all(Array.from({ length: 5 }, () => startThread(server.admin, name)));
    for (const threadId of threads)
      expect(await settled(server.admin, threadId)).toMatchObject({ status: 'completed' });
  });

  test('[DA10] whose server is away goes on when it is back', async () => {
    const place = await startTestServer();
    const port = Number(new URL(place.url).port);
    const [{ admin }] = [place];
    const service = httpService({ url: place.url, key: adminKey, retryForMs: 500 });
    const worker = runAgents({ service, agents: [agent('lasting', (ctx) => ctx.ask(one('a')))], onError: () => {} });
    onTestFinished(async () => {
      await worker.stop();
      await back.stop();
      await place.place[Symbol.asyncDispose]();
    });
    const threadId = await startThread(admin, 'lasting');
    await settled(admin, threadId);
    await place.stop();
    const back = await startTestServer({ place: place.place, port });
    const [question] = await pendingOf(back.admin, threadId);
    await answer(back.admin, question ?? { id: '' }, { a: 'x' });
    expect(await settled(back.admin, threadId)).toMatchObject({ status: 'completed' });
  });
});

test('[DA7] the error of an agent is shown with its run', async () => {
  const { name } = serve(() => Promise.reject(new TypeError('oh')));
  const threadId = await startThread(server.admin, name);
  const run = await settled(server.admin, threadId);
  expect(await getRun(run)).toMatchObject({ status: 'failed', error: { code: 'failed', message: 'oh' } });
});
