/** The human-in-the-loop middleware of LangChain, with a real agent of `createAgent` and a model over HTTP. */
import { type Interaction, pickField } from '@holdpoint/protocol';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  type InterruptOnConfig,
  tool,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runWithPeople } from '../src/langgraph.ts';
import { stageOfATest } from './stage.ts';

const openStage = stageOfATest();
type Stage = Awaited<ReturnType<typeof openStage>>;
type Decision = 'approve' | 'edit' | 'reject';

const config = { configurable: { thread_id: 'mail' } };
const first = { title: 'Hello', to: 'ann@example.com', copies: 1 };
const second = { title: 'Bye', to: 'bob@example.com', copies: 2 };

/** With `exactOptionalPropertyTypes` TypeScript takes the options for `never`, and no middleware for one of an agent. */
const reviewOf = humanInTheLoopMiddleware as (options: { interruptOn: Record<string, InterruptOnConfig> }) => object;
const asMiddleware = (made: object) => made as AgentMiddleware;

/** An agent with one tool. The model calls it once for each of these and ends with the results by their titles. */
function mailer(at: Stage, allowedDecisions: Decision[], calls: object[] = [first], others: object[] = []) {
  const sent: unknown[] = [];
  const send = tool(
    (args) => {
      sent.push(args);
      return 'sent';
    },
    {
      name: 'send_mail',
      description: 'Sends a mail.',
      schema: z.object({ title: z.string(), to: z.string(), copies: z.number() }),
    },
  );
  const review = reviewOf({
    interruptOn: { send_mail: { allowedDecisions, description: 'It goes to a customer.' } },
  });
  const agent = createAgent({
    model: new ChatOpenAI({ model: 'fake', apiKey: 'none', maxRetries: 0, configuration: { baseURL: at.model.url } }),
    tools: [send],
    middleware: [review, ...others].map(asMiddleware),
    checkpointer: new MemorySaver(),
  });
  const input = { messages: [{ role: 'user' as const, content: JSON.stringify(calls) }] };
  const run = async (signal?: AbortSignal): Promise<unknown> => {
    const options = { thread: at.thread, config, ...(signal ? { signal } : {}) };
    const { messages } = await runWithPeople(at.hp, agent, input, options);
    return JSON.parse(String(messages.at(-1)?.content));
  };
  return { sent, run };
}

const offered = (asked: Interaction | undefined) => asked && pickField(asked)?.options.map(({ value }) => value);
const editable = (asked: Interaction | undefined) =>
  asked?.fields.flatMap((field) => ('name' in field && field.name !== 'decision' ? [field.name] : []));

describe('[AD21] the middleware of LangChain', () => {
  test.each<[Decision[], string[], string[]]>([
    [['approve'], ['allow'], []],
    [['reject'], ['deny'], []],
    [['approve', 'reject'], ['allow', 'deny'], []],
    [
      ['edit', 'reject'],
      ['allow', 'deny'],
      ['title', 'to', 'copies'],
    ],
    [['approve', 'edit'], ['allow'], ['title', 'to', 'copies']],
    [
      ['approve', 'edit', 'reject'],
      ['allow', 'deny'],
      ['title', 'to', 'copies'],
    ],
  ])('%j: a person is offered no other decision', async (allowed, options, fields) => {
    await using at = await openStage();
    const stop = new AbortController();
    const running = mailer(at, allowed).run(stop.signal);
    const [asked] = await at.asked(1);
    expect(offered(asked)).toEqual(options);
    expect(editable(asked)).toEqual(fields);
    expect(asked).toMatchObject({ body: 'It goes to a customer.', arguments: first });
    stop.abort();
    await expect(running).rejects.toThrow();
  });

  test('what is approved runs as it was proposed', async () => {
    await using at = await openStage();
    const { sent, run } = mailer(at, ['approve', 'reject']);
    const running = run();
    const [asked] = await at.asked(1);
    await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
    expect(await running).toEqual({ Hello: 'sent' });
    expect(sent).toEqual([first]);
  });

  test('what is rejected does not run, and the model learns why', async () => {
    await using at = await openStage();
    const { sent, run } = mailer(at, ['approve', 'reject']);
    const running = run();
    const [asked] = await at.asked(1);
    await at.hp.answer(asked?.id ?? '', { decision: 'deny' }, { reason: 'Not on a Friday.' });
    expect(await running).toEqual({ Hello: 'declined: Not on a Friday.' });
    expect(sent).toEqual([]);
  });

  test('without approve, what a person leaves as it is runs as an edit', async () => {
    await using at = await openStage();
    const { sent, run } = mailer(at, ['edit', 'reject']);
    const running = run();
    const [asked] = await at.asked(1);
    await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
    await running;
    expect(sent).toEqual([first]);
  });

  test('two calls are two questions, and each decision reaches its own call', async () => {
    await using at = await openStage();
    const { sent, run } = mailer(at, ['approve', 'edit', 'reject'], [first, second]);
    const running = run();
    const asked = await at.asked(2);
    const about = (to: string) => asked.find(({ arguments: args }) => args?.to === to)?.id ?? '';
    await at.hp.answer(about(second.to), { decision: 'allow', copies: 5 });
    await at.hp.answer(about(first.to), { decision: 'allow' });
    await running;
    expect(sent).toEqual([first, { ...second, copies: 5 }]);
  });

  test('a no of which the middleware takes none runs nothing, and is not asked again', async () => {
    await using at = await openStage();
    const { sent, run } = mailer(at, ['approve', 'edit']);
    const running = run();
    const [asked] = await at.asked(1);
    await at.hp.decline(asked?.id ?? '', 'Never.');
    await expect(running).rejects.toThrow('Nobody allowed send_mail');
    await expect(run()).rejects.toThrow('declined: Never.');
    expect(sent).toEqual([]);
    expect(await at.everything()).toHaveLength(1);
  });
});

test('[AD4] a text argument that the person cleared is an empty text, which the tool is given', async () => {
  await using at = await openStage();
  const { sent, run } = mailer(at, ['approve', 'edit', 'reject']);
  const running = run();
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', to: '' });
  await running;
  expect(sent).toEqual([{ ...first, to: '' }]);
});

test('[AD20] a run of the agent that fails after it was resumed goes on, and nobody is asked again', async () => {
  await using at = await openStage();
  let isDown = true;
  const unlucky = createMiddleware({
    name: 'Unlucky',
    beforeModel: ({ messages }) => {
      if (messages.length === 1 || !isDown) return undefined;
      isDown = false;
      throw new Error('The model is down.');
    },
  });
  const { sent, run } = mailer(at, ['approve', 'reject'], [first], [unlucky]);
  const running = run();
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  await expect(running).rejects.toThrow('The model is down.');
  expect(await run()).toEqual({ Hello: 'sent' });
  expect(sent).toEqual([first]);
  expect(await at.everything()).toHaveLength(1);
});
