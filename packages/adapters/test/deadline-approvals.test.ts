/** Every adapter: an approval that only a deadline accepted is none, unless the author says that it counts. */
import { type Message, type Part, type Task, TaskState } from '@a2a-js/sdk';
import { HttpAgent } from '@ag-ui/client';
import { type BaseEvent, EventType, type Interrupt, type RunAgentInput } from '@ag-ui/core';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { approval, pickField, type ReadingOptions } from '@holdpoint/protocol';
import { Annotation, interrupt, MemorySaver, StateGraph } from '@langchain/langgraph';
import { Agent, OpenAIProvider, tool as openaiTool, Runner } from '@openai/agents';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { messageOf } from '../src/a2a/parts.ts';
import { dataPart, holdpointExecutor, sendWithPeople, textPart } from '../src/a2a.ts';
import { agentEvents, runWithPeople as runAgUi } from '../src/ag-ui.ts';
import { answerApprovals, askTool } from '../src/ai-sdk.ts';
import { hold, runWithPeople as runGraph } from '../src/langgraph.ts';
import { runWithPeople as runOpenai } from '../src/openai-agents.ts';
import { startA2A } from './a2a-server.ts';
import { startAgUi } from './ag-ui-server.ts';
import { askingExecutor } from './asking-executor.ts';
import { patience, stageOfATest } from './stage.ts';

const openStage = stageOfATest();
type Stage = Awaited<ReturnType<typeof openStage>>;

const title = 'Pay?';
const question = approval({ title });
const call = { title, amount: 5 };
const prompt = JSON.stringify([call]);
const late = { status: 'expired', reason: 'Nobody answered in time.', automatic: 'deadline' };
const taken = { status: 'answered', values: { decision: 'allow' }, automatic: 'deadline' };
const why = 'expired: Nobody answered in time.';

/** Long enough to be set in time on a busy machine. */
const soonMs = 3_000;

async function acceptAtDeadline({ hp, asked }: Stage): Promise<void> {
  const [one] = await asked(1);
  const allow = one && pickField(one)?.options.find(({ kind }) => kind === 'allow_once');
  await hp.updateInteraction({
    interactionId: one?.id ?? '',
    recommendations: { decision: allow?.value },
    deadline: { at: new Date(Date.now() + soonMs).toISOString(), outcome: 'recommended' },
  });
}

async function runNode(at: Stage, reading: ReadingOptions, node: () => unknown): Promise<unknown> {
  const State = Annotation.Root({ outcome: Annotation<unknown> });
  const graph = new StateGraph(State)
    .addNode('ask', () => ({ outcome: node() }))
    .addEdge('__start__', 'ask')
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 'one' } };
  return (await runGraph(at.hp, graph, {}, { thread: at.thread, config, ...reading })).outcome;
}

/** The result that the agent gets in the end, for each way to ask for an approval. */
const ways: Record<string, [run: (at: Stage, reading: ReadingOptions) => Promise<unknown>, no: unknown, yes: unknown]> =
  {
    'AI SDK, a tool that needs approval': [
      async (at, reading) => {
        const model = createOpenAICompatible({ name: 'fake', baseURL: at.model.url })('fake');
        const pay = tool({ inputSchema: z.object({ title: z.string(), amount: z.number() }), execute: () => 'paid' });
        const toolApproval = { pay: 'user-approval' } as const;
        const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
        const generated = await generateText({ model, tools: { pay }, messages, toolApproval });
        messages.push(...generated.responseMessages);
        const answered = await answerApprovals(at.hp, messages, { thread: at.thread, run: 'one', ...reading });
        const [read] = answered?.approvals.values() ?? [];
        const [response] = answered?.messages.at(-1)?.content ?? [];
        return [read?.approved, read?.automatic, response];
      },
      [false, 'deadline', expect.objectContaining({ approved: false, reason: why })],
      [true, 'deadline', expect.objectContaining({ approved: true })],
    ],
    'AI SDK, a tool that asks': [
      async (at, reading) => {
        const model = createOpenAICompatible({ name: 'fake', baseURL: at.model.url })('fake');
        const place = { thread: at.thread, run: 'one', description: 'Asks.', ...reading };
        const pay = askTool(at.hp, {
          ...place,
          inputSchema: z.object({ title: z.string() }),
          question: () => question,
        });
        const { text } = await generateText({ model, tools: { pay }, prompt, stopWhen: stepCountIs(5) });
        return JSON.parse(text)[title];
      },
      late,
      taken,
    ],
    'OpenAI Agents': [
      async (at, reading) => {
        const ran: unknown[] = [];
        const pay = openaiTool({
          name: 'pay',
          description: 'Pays.',
          parameters: z.object({ title: z.string(), amount: z.number() }),
          needsApproval: true,
          execute: async () => ran.push('paid'),
        });
        const provider = new OpenAIProvider({ baseURL: at.model.url, apiKey: 'none' });
        const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
        const keep = { load: async () => undefined, save: async () => {} };
        const options = { thread: at.thread, run: 'one', keep, runner, ...reading };
        const { finalOutput } = await runOpenai(
          at.hp,
          new Agent({ name: 'payer', model: 'fake', tools: [pay] }),
          prompt,
          options,
        );
        return [ran.length, String(finalOutput).includes(why)];
      },
      [0, true],
      [1, false],
    ],
    'LangGraph, a question': [(at, reading) => runNode(at, reading, () => hold(question)), late, taken],
    'LangGraph, Agent Inbox': [
      (at, reading) => {
        const config = { allow_accept: true, allow_edit: false, allow_respond: false, allow_ignore: true };
        return runNode(at, reading, () => interrupt({ action_request: { action: title, args: call }, config }));
      },
      { type: 'ignore', args: null },
      { type: 'accept', args: null },
    ],
    'LangGraph, reviews': [
      (at, reading) => {
        const reviewConfigs = [{ actionName: 'pay', allowedDecisions: ['approve', 'reject'] }];
        return runNode(at, reading, () => interrupt({ actionRequests: [{ name: 'pay', args: call }], reviewConfigs }));
      },
      { decisions: [{ type: 'reject', message: why }] },
      { decisions: [{ type: 'approve' }] },
    ],
    'AG-UI, an agent of ours': [
      async (at, reading) => {
        const options = { thread: at.thread, ...reading };
        await using server = await startAgUi((input) =>
          agentEvents(at.hp, input, options, ({ ask }) => ask('pay', question)),
        );
        const agent = new HttpAgent({ url: server.url });
        await agent.runAgent();
        const [open] = agent.pendingInterrupts;
        await at.hp.wait(open?.id ?? '');
        return (await agent.runAgent({ resume: [{ interruptId: open?.id ?? '', status: 'cancelled' }] })).result;
      },
      late,
      taken,
    ],
    'AG-UI, an agent of anybody': [
      async (at, reading) => {
        const interrupts: Interrupt[] = [{ id: 'one', reason: 'confirmation', message: title }];
        await using server = await startAgUi(async function* (input: RunAgentInput): AsyncGenerator<BaseEvent> {
          const { threadId, runId, resume } = input;
          yield { type: EventType.RUN_STARTED, threadId, runId };
          const end = resume
            ? { outcome: { type: 'success' }, result: resume[0] }
            : { outcome: { type: 'interrupt', interrupts } };
          yield { type: EventType.RUN_FINISHED, threadId, runId, ...end };
        });
        const { result } = await runAgUi(at.hp, new HttpAgent({ url: server.url }), { thread: at.thread, ...reading });
        const { status, payload, metadata } = result as {
          status: string;
          payload?: unknown;
          metadata: { holdpoint: object };
        };
        return { status, payload, outcome: metadata.holdpoint };
      },
      { status: 'cancelled', payload: undefined, outcome: expect.objectContaining(late) },
      { status: 'resolved', payload: true, outcome: expect.objectContaining(taken) },
    ],
    'A2A, an agent of ours': [
      async (at, reading) => {
        const work = async ({ ask }: Parameters<Parameters<typeof holdpointExecutor>[1]['work']>[0]) => [
          dataPart(await ask('pay', question)),
        ];
        const executor = holdpointExecutor(at.hp, { thread: at.thread, work, ...reading });
        await using server = await startA2A(executor);
        executor.handler = server.handler;
        const message = messageOf('user', { taskId: '', contextId: '' }, [textPart('Go.')]);
        const request = { tenant: '', message, configuration: undefined, metadata: undefined };
        const { id } = (await server.client.sendMessage(request)) as Task;
        const task = () => server.client.getTask({ tenant: '', id });
        await expect.poll(async () => (await task()).status?.state, patience).toBe(TaskState.TASK_STATE_COMPLETED);
        return (await task()).artifacts[0]?.parts[0]?.content?.value;
      },
      late,
      taken,
    ],
    'A2A, an agent of anybody': [
      async (at, reading) => {
        const sent: Part[] = [];
        const hear = ({ parts }: Message) => {
          sent.push(...parts);
          return parts;
        };
        await using server = await startA2A(askingExecutor([dataPart(question, { interactionId: 'one' })], hear));
        await sendWithPeople(at.hp, server.client, [textPart('Go.')], { thread: at.thread, ...reading });
        return [sent[0]?.content?.value, sent[0]?.metadata];
      },
      [{}, expect.objectContaining({ decline: true, ...late })],
      [{ decision: 'allow' }, { interactionId: 'one', automatic: 'deadline' }],
    ],
  };

describe.concurrent.each(Object.entries(ways))('%s', (_name, [run, no, yes]) => {
  test.for([
    ['is not approved', {}, no],
    ['is approved where the author says that it counts', { countDeadlineAsApproval: true }, yes],
  ] as const)('[AN31] an approval that a deadline accepts %s', patience, async ([, reading, expected]) => {
    await using at = await openStage();
    const running = run(at, reading);
    await acceptAtDeadline(at);
    expect(await running).toEqual(expected);
  });
});
