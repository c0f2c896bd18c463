/** The assistant on a service in memory, with a real model server, interrupted wherever it writes. */
import { choice, type HoldpointService, type Message } from '@holdpoint/protocol';
import { jsonSchema, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assistant, interactionTool, modelAt } from '../src/assistant/index.ts';
import { Away } from '../src/engine/errors.ts';
import { executeRun } from '../src/engine/execute-run.ts';
import { execute } from './execute.ts';
import { MemoryService } from './memory-service.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

let model: ModelServer;
let looks: number;

beforeAll(async () => {
  model = await startModelServer();
  // Looks first, then asks, then is done: by the number of results it got.
  model.decide(({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').length;
    if (results === 0)
      return { text: ['Let me ', 'look.'], toolCalls: [{ id: 'tc_1', name: 'look', args: { at: 'sky' } }] };
    if (results === 1) return { toolCalls: [{ id: 'tc_2', name: 'pick', args: { of: ['Red', 'Blue'] } }] };
    return { text: ['So be it.'] };
  });
});
beforeEach(() => {
  looks = 0;
  model.requests.length = 0;
});
afterAll(() => model[Symbol.asyncDispose]());

const program = () =>
  assistant({
    model: modelAt({ url: model.url, model: 'scripted' }),
    maxRetries: 0,
    tools: {
      look: tool({
        inputSchema: jsonSchema<{ at: string }>({ type: 'object' }),
        execute: async ({ at }) => ({ seen: at, times: ++looks }),
      }),
    },
    interactionTools: {
      pick: interactionTool<{ of: string[] }>({
        description: 'Lets the person pick',
        parameters: { type: 'object', required: ['of'] },
        ask: ({ of }) => choice(of),
      }),
    },
  }).run;

/** Executes until the run is over, and answers what it asks. */
async function toTheEnd(thread: MemoryService): Promise<void> {
  for (let executions = 0; executions < 20 && thread.run.endedAt === undefined; executions++) {
    await execute(thread, program()).catch((error: unknown) => {
      if (!(error instanceof Away)) throw error;
    });
    for (const { id } of thread.pending()) if (thread.run.status === 'waiting') thread.answer(id, { choice: 'Red' });
  }
}

const seen = ({ role, blocks }: Message) => [role, ...blocks.map(({ payload }) => payload)];
/** Without what was broken off. */
const conversation = (thread: MemoryService) => [...thread.messages.values()].filter(({ state }) => !state).map(seen);

test('[AS11] an assistant that is interrupted at any write says, calls and asks the same', async () => {
  const calm = new MemoryService();
  await toTheEnd(calm);
  expect(calm.run).toMatchObject({ status: 'completed', result: { finishReason: 'stop', steps: 3 } });
  expect(model.requests).toHaveLength(3);
  const expected = conversation(calm);
  expect(expected).toMatchObject([
    ['user', { text: 'Hello' }],
    ['agent', { text: 'Let me look.' }],
    ['agent', { toolCallId: 'tc_1', toolName: 'look', args: { at: 'sky' } }],
    ['agent', { toolCallId: 'tc_1', result: { seen: 'sky', times: 1 } }],
    ['agent', { toolCallId: 'tc_2', toolName: 'pick' }],
    ['agent', { toolCallId: 'tc_2', result: { status: 'answered' } }],
    ['agent', { text: 'So be it.' }],
  ]);
  for (let write = 1; write <= calm.writes; write++)
    for (const isDone of [false, true]) {
      looks = 0;
      model.requests.length = 0;
      const thread = new MemoryService();
      thread.crashAt = { write, isDone };
      await toTheEnd(thread);
      const place = `interrupted ${isDone ? 'after' : 'before'} write ${write}`;
      expect(thread.run, place).toMatchObject({ status: 'completed' });
      // Only a step whose result was not kept is done again.
      expect(conversation(thread).map(withoutTimes), place).toEqual(expected.map(withoutTimes));
      expect(model.requests.length, place).toBeLessThanOrEqual(4);
      expect([...thread.interactions.values()], place).toHaveLength(1);
    }
});

const withoutTimes = (message: unknown): unknown =>
  JSON.parse(JSON.stringify(message).replace(/"times":\d/, '"times":1'));

test('[AS5] a message that comes in the same moment as the answer follows it for the model', async () => {
  const thread = new MemoryService();
  await execute(thread, program());
  thread.say('And hurry.');
  for (const { id } of thread.pending()) thread.answer(id, { choice: 'Red' });
  await toTheEnd(thread);
  expect(thread.run).toMatchObject({ status: 'completed', result: { finishReason: 'stop', steps: 3 } });
  const seen = model.requests.at(-1)?.messages ?? [];
  expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'user']);
  expect(seen.at(-1)?.content).toBe('And hurry.');
});

test('[AS5] several messages that come at once all reach the model', async () => {
  const thread = new MemoryService();
  thread.say('And hurry.');
  await execute(thread, program());
  expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(['Hello', 'And hurry.']);
});

test('[AS5] a message that is given to the run while the model replies for the last time is answered in the same run', async () => {
  const thread = new MemoryService();
  await execute(thread, program());
  for (const { id } of thread.pending()) thread.answer(id, { choice: 'Red' });
  // The last reply is whole in the journal, and the process dies before the run is over.
  const { completeMessage } = thread.service;
  const dies = async (input: Parameters<HoldpointService['completeMessage']>[0]): Promise<never> => {
    await completeMessage(input);
    throw new Error('It died.');
  };
  const service = { ...thread.service, completeMessage: dies };
  const agent = { name: 'a', run: program() };
  const { signal } = new AbortController();
  const dying = executeRun({ service, agent, run: thread.resume(), now: () => thread.now, signal });
  await expect(dying).rejects.toBeInstanceOf(Away);
  thread.say('One more thing.');
  await toTheEnd(thread);
  expect(thread.run).toMatchObject({ status: 'completed', result: { steps: 4 } });
  const seen = model.requests.at(-1)?.messages ?? [];
  expect(seen.slice(-2).map(({ content }) => content)).toEqual(['So be it.', 'One more thing.']);
});

test('[AS6] the model gets the earlier messages, and no more than that', async () => {
  const thread = new MemoryService();
  await toTheEnd(thread);
  const [first, , last] = model.requests;
  expect(first?.messages).toEqual([{ role: 'user', content: 'Hello' }]);
  expect(last?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
});
