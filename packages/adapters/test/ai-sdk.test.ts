/** The AI SDK: the shared stories by approvals and by a tool that asks, and what only this adapter does. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { approval, number } from '@holdpoint/protocol';
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerApprovals, askHuman, askTool } from '../src/ai-sdk.ts';
import { adapterSuite } from './adapter.suite.ts';
import { stageOfATest } from './stage.ts';

adapterSuite('ai-sdk');
adapterSuite('ai-sdk-tools');

const openStage = stageOfATest();
const title = 'Scale the cluster?';
const stopWhen = stepCountIs(5);
const modelAt = (baseURL: string) => createOpenAICompatible({ name: 'fake', baseURL })('fake');

/** A tool that needs approval, and is called once with 3 replicas. */
function scaling(url: string, more: { experimental_toolApprovalSecret?: string } = {}) {
  const ran: unknown[] = [];
  const scale = tool({
    inputSchema: z.object({ title: z.string(), replicas: z.number().int().max(10) }),
    execute: async (args) => {
      ran.push(args);
      return 'scaled';
    },
  });
  const messages: ModelMessage[] = [{ role: 'user', content: JSON.stringify([{ title, replicas: 3 }]) }];
  const generate = (messages: ModelMessage[]) =>
    generateText({
      ...{ model: modelAt(url), tools: { scale }, messages, stopWhen, ...more },
      toolApproval: { scale: { type: 'user-approval', reason: 'It costs money.' } },
    });
  return { ran, messages, generate };
}

const question = () => ({ title, fields: { replicas: number() } });

test('[AD4] edited arguments are those that run, and the model learns of both', async () => {
  await using at = await openStage();
  const { ran, messages, generate } = scaling(at.model.url);
  messages.push(...(await generate(messages)).responseMessages);
  const answering = answerApprovals(at.hp, messages, { thread: at.thread, run: 'one', question });
  const [asked] = await at.asked(1);
  expect(asked).toMatchObject({ kind: 'approval', body: 'It costs money.', arguments: { title, replicas: 3 } });
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', replicas: 5 });
  const answered = await answering;
  expect([...(answered?.approvals.values() ?? [])]).toMatchObject([{ approved: true, edited: true }]);
  const { text } = await generate(answered?.messages ?? []);
  expect(ran).toEqual([{ title, replicas: 5 }]);
  expect(JSON.parse(text)).toEqual({ [title]: 'scaled' });
  const last = at.model.conversations.at(-1);
  expect(last?.calls.map((call) => JSON.parse(call.arguments))).toEqual([{ title, replicas: 5 }]);
  expect(last?.users.at(-1)).toMatch(/"replicas":3.*"replicas":5/);
});

test('[AD4] edited arguments that do not fit the tool do not run, and the model learns of it', async () => {
  await using at = await openStage();
  const { ran, messages, generate } = scaling(at.model.url);
  messages.push(...(await generate(messages)).responseMessages);
  const answering = answerApprovals(at.hp, messages, { thread: at.thread, run: 'one', question });
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', replicas: 50 });
  const { text } = await generate((await answering)?.messages ?? []);
  expect(ran).toEqual([]);
  expect(JSON.parse(text)[title]).toMatch(/Invalid input/);
});

test('[AD4] an approval that is signed offers nothing to edit, and runs as it was proposed', async () => {
  await using at = await openStage();
  const { ran, messages, generate } = scaling(at.model.url, {
    experimental_toolApprovalSecret: 'a secret of 32 bytes',
  });
  messages.push(...(await generate(messages)).responseMessages);
  const answering = answerApprovals(at.hp, messages, { thread: at.thread, run: 'one', question });
  const [asked] = await at.asked(1);
  expect(asked?.fields).toMatchObject([{ name: 'decision' }]);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  await generate((await answering)?.messages ?? []);
  expect(ran).toEqual([{ title, replicas: 3 }]);
});

test('[AD1] what is denied by its option is not run, and the model learns why', async () => {
  await using at = await openStage();
  const { ran, messages, generate } = scaling(at.model.url);
  messages.push(...(await generate(messages)).responseMessages);
  const answering = answerApprovals(at.hp, messages, { thread: at.thread, run: 'one' });
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'deny' }, { reason: 'Too many.' });
  const { text } = await generate((await answering)?.messages ?? []);
  expect(ran).toEqual([]);
  expect(JSON.parse(text)).toEqual({ [title]: 'declined: Too many.' });
});

test('[AD2] a call with the id of an earlier one is a new question', async () => {
  await using at = await openStage();
  const calling = (approvalId: string, replicas: number): ModelMessage[] => [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'call_0', toolName: 'scale', input: { replicas } },
        { type: 'tool-approval-request', approvalId, toolCallId: 'call_0' },
      ],
    },
  ];
  const place = { thread: at.thread, run: 'one' };
  const first = answerApprovals(at.hp, calling('a', 3), place);
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  await first;
  const response: ModelMessage = {
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }],
  };
  const second = answerApprovals(at.hp, [...calling('a', 3), response, ...calling('b', 9)], place);
  const [, again] = await at.asked(2);
  expect(again).toMatchObject({ status: 'pending', arguments: { replicas: 9 } });
  await at.hp.decline(again?.id ?? '');
  expect((await second)?.approvals.get('call_0')).toMatchObject({ approved: false });
});

test('[AD1] messages in which no request is open ask nothing', async () => {
  await using at = await openStage();
  const { messages } = scaling(at.model.url);
  expect(await answerApprovals(at.hp, messages, { thread: at.thread, run: 'one' })).toBeUndefined();
  expect(await at.everything()).toEqual([]);
});

test('[AD5] the model asks what it likes, and is given the values', async () => {
  await using at = await openStage();
  const options = ['Berlin', 'Oslo'].map((name) => ({ value: name, label: name }));
  const prompt = JSON.stringify([
    { title: 'Where?', details: 'The office.', options },
    { title: 'Who?', fields: [{ name: 'name', label: 'Name', type: 'text' }] },
    { title: 'Why?' },
  ]);
  const tools = { ask: askHuman(at.hp, { thread: at.thread, run: 'one' }) };
  const { text } = streamText({ model: modelAt(at.model.url), tools, prompt, stopWhen });
  const values: Record<string, object> = {
    'Where?': { choice: 'Oslo' },
    'Who?': { name: 'Ada' },
    'Why?': { text: 'So' },
  };
  for (const asked of await at.asked(3)) await at.hp.answer(asked.id, { ...values[asked.title] });
  const outcomes = Object.entries(values).map(([name, given]) => [name, { status: 'answered', values: given }]);
  expect(JSON.parse(await text)).toEqual(Object.fromEntries(outcomes));
});

test('[AD5] the model learns that a question is not valid', async () => {
  await using at = await openStage();
  const prompt = JSON.stringify([{ title: 'Where?', fields: [{ name: 'place', label: 'Place', type: 'select' }] }]);
  const tools = { ask: askHuman(at.hp, { thread: at.thread, run: 'one' }) };
  const { text } = await generateText({ model: modelAt(at.model.url), tools, prompt, stopWhen });
  expect(text).toMatch(/options/);
  expect(await at.everything()).toEqual([]);
});

function asking(at: Awaited<ReturnType<typeof openStage>>, prompt: string, abortSignal?: AbortSignal) {
  const ask = askTool(at.hp, {
    ...{ thread: at.thread, run: 'one', description: 'Asks.', inputSchema: z.object({ title: z.string() }) },
    question: (args) => approval({ title: args.title }),
  });
  const given = abortSignal ? { abortSignal } : {};
  return generateText({ model: modelAt(at.model.url), tools: { ask }, prompt, stopWhen, ...given });
}

test('[AD2] who gives up leaves the question, and finds it again', async () => {
  await using at = await openStage();
  const controller = new AbortController();
  const prompt = JSON.stringify([{ title }]);
  const first = asking(at, prompt, controller.signal);
  const [asked] = await at.asked(1);
  controller.abort();
  await expect(first).rejects.toThrow();
  expect(await at.everything()).toMatchObject([{ status: 'pending' }]);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  const { text } = await asking(at, prompt);
  expect(JSON.parse(text)).toEqual({ [title]: { status: 'answered', values: { decision: 'allow' } } });
  expect(await at.everything()).toHaveLength(1);
});

test('[AD2] equal calls of one step are questions of their own, and so is the same call after other words', async () => {
  await using at = await openStage();
  const twice = asking(at, JSON.stringify([{ title }, { title }]));
  for (const each of await at.asked(2)) await at.hp.answer(each.id, { decision: 'allow' });
  await twice;
  const later = asking(at, JSON.stringify([{ title }]));
  const third = (await at.asked(3)).at(-1);
  expect(third).toMatchObject({ status: 'pending' });
  await at.hp.decline(third?.id ?? '');
  expect(JSON.parse((await later).text)).toEqual({ [title]: { status: 'declined' } });
});

test('[AD2] two tools that are called alike ask two questions', async () => {
  await using at = await openStage();
  const asked = ['Asks the lawyers.', 'Asks the operators.'].map((description) => {
    const inputSchema = z.object({ title: z.string() });
    const question = (args: { title: string }) => approval({ title: args.title, body: description });
    const ask = askTool(at.hp, { thread: at.thread, run: 'one', description, inputSchema, question });
    return ask.execute({ title }, { toolCallId: description, messages: [] });
  });
  for (const { id, body } of await at.asked(2)) {
    if (body === 'Asks the lawyers.') await at.hp.decline(id);
    else await at.hp.answer(id, { decision: 'allow' });
  }
  expect(await Promise.all(asked)).toMatchObject([{ status: 'declined' }, { status: 'answered' }]);
});
