/** The OpenAI Agents SDK: the shared stories by approvals and by a tool that asks, and what only this adapter does. */
import { number } from '@holdpoint/protocol';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { askHumanTool, runWithPeople } from '../src/openai-agents.ts';
import { adapterSuite } from './adapter.suite.ts';
import { stageOfATest } from './stage.ts';

adapterSuite('openai-agents');
adapterSuite('openai-agents-tool');

const openStage = stageOfATest();
const title = 'Scale the cluster?';
const runnerAt = (baseURL: string) =>
  new Runner({ modelProvider: new OpenAIProvider({ baseURL, apiKey: 'none' }), tracingDisabled: true });

/** Keeps in memory; what was kept is there to be looked at. */
function memoryKeep() {
  const kept: string[] = [];
  return {
    kept,
    load: async () => kept.at(-1),
    async save(state: string) {
      kept.push(state);
    },
  };
}

/** A tool that needs approval. */
function scaling() {
  const ran: unknown[] = [];
  const scale = tool({
    name: 'scale',
    description: 'Scales.',
    parameters: z.object({ title: z.string(), replicas: z.number().int().max(10) }),
    needsApproval: true,
    execute: async (args) => {
      ran.push(args);
      return 'scaled';
    },
  });
  return { ran, agent: new Agent({ name: 'scaler', model: 'fake', tools: [scale] }) };
}

type Stage = Awaited<ReturnType<typeof openStage>>;
const input = JSON.stringify([{ title, replicas: 3 }]);
const optionsFor = (at: Stage, keep = memoryKeep()) => ({
  ...{ thread: at.thread, run: 'one', keep, runner: runnerAt(at.model.url) },
  question: () => ({ title, fields: { replicas: number() } }),
});

test('[AD4] edited arguments are those that run, and the model learns of both', async () => {
  await using at = await openStage();
  const { ran, agent } = scaling();
  const running = runWithPeople(at.hp, agent, input, optionsFor(at));
  const [asked] = await at.asked(1);
  expect(asked).toMatchObject({ kind: 'approval', arguments: { title, replicas: 3 } });
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', replicas: 5 });
  expect((await running).finalOutput).toBe(JSON.stringify({ [title]: 'scaled' }));
  expect(ran).toEqual([{ title, replicas: 5 }]);
  const last = at.model.conversations.at(-1);
  expect(last?.calls.map((call) => JSON.parse(call.arguments))).toEqual([{ title, replicas: 5 }]);
  expect(last?.users.at(-1)).toMatch(/"replicas":3.*"replicas":5/);
});

test('[AD4] edited arguments that do not fit the tool do not run, and the model learns of it', async () => {
  await using at = await openStage();
  const { ran, agent } = scaling();
  const running = runWithPeople(at.hp, agent, input, optionsFor(at));
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', replicas: 50 });
  expect((await running).finalOutput).toMatch(/error/i);
  expect(ran).toEqual([]);
});

test('[AD1] what is denied by its option is not run, and the model learns why', async () => {
  await using at = await openStage();
  const { ran, agent } = scaling();
  const running = runWithPeople(at.hp, agent, input, optionsFor(at));
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'deny' }, { reason: 'Too many.' });
  expect((await running).finalOutput).toBe(JSON.stringify({ [title]: 'declined: Too many.' }));
  expect(ran).toEqual([]);
});

test('[AD4] also those of an agent that is a tool of another', async () => {
  await using at = await openStage();
  const { ran, agent } = scaling();
  const inner = agent.asTool({
    toolName: 'scaler',
    toolDescription: 'Scales.',
    runOptions: {},
    runConfig: { modelProvider: new OpenAIProvider({ baseURL: at.model.url, apiKey: 'none' }) },
    parameters: z.object({ title: z.string(), input: z.string() }),
    inputBuilder: ({ params }) => params.input,
  });
  const outer = new Agent({ name: 'chief', model: 'fake', tools: [inner] });
  const keep = memoryKeep();
  const running = runWithPeople(at.hp, outer, JSON.stringify([{ title: 'Please', input }]), optionsFor(at, keep));
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', replicas: 5 });
  await running;
  expect(ran).toEqual([{ title, replicas: 5 }]);
});

test('[AD2] a run that another process kept goes on with its question', async () => {
  await using at = await openStage();
  const keep = memoryKeep();
  const gone = new AbortController();
  const first = runWithPeople(at.hp, scaling().agent, input, { ...optionsFor(at, keep), signal: gone.signal });
  const [asked] = await at.asked(1);
  gone.abort();
  await expect(first).rejects.toThrow();
  await at.hp.answer(asked?.id ?? '', { decision: 'allow', replicas: 4 });
  const { ran, agent } = scaling();
  await runWithPeople(at.hp, agent, input, optionsFor(at, keep));
  expect(ran).toEqual([{ title, replicas: 4 }]);
  expect(await at.everything()).toHaveLength(1);
  // The first process and the end: nobody asked the model what it had said already.
  expect(at.model.conversations).toHaveLength(2);
});

test('[AD5] the model asks what it likes, and is given the values', async () => {
  await using at = await openStage();
  const ask = askHumanTool(at.hp, { thread: at.thread, run: 'one' });
  const agent = new Agent({ name: 'asking', model: 'fake', tools: [ask] });
  const fields = [{ name: 'name', label: 'Name', type: 'text' }];
  const running = runWithPeople(
    at.hp,
    agent,
    JSON.stringify([{ title: 'Who?', fields }, { title: 'Why?' }]),
    optionsFor(at),
  );
  const values: Record<string, object> = { 'Who?': { name: 'Ada' }, 'Why?': { text: 'So' } };
  for (const asked of await at.asked(2)) await at.hp.answer(asked.id, { ...values[asked.title] });
  const outcomes = Object.entries(values).map(([name, given]) => [name, { status: 'answered', values: given }]);
  expect(JSON.parse((await running).finalOutput ?? '')).toEqual(Object.fromEntries(outcomes));
});

test('[AD5] the model learns that a question is not valid', async () => {
  await using at = await openStage();
  const ask = askHumanTool(at.hp, { thread: at.thread, run: 'one' });
  const agent = new Agent({ name: 'asking', model: 'fake', tools: [ask] });
  const fields = [{ name: 'place', label: 'Place', type: 'select' }];
  const { finalOutput } = await runWithPeople(
    at.hp,
    agent,
    JSON.stringify([{ title: 'Where?', fields }]),
    optionsFor(at),
  );
  expect(finalOutput).toMatch(/options/);
  expect(await at.everything()).toEqual([]);
});
