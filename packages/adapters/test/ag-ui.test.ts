/** AG-UI: the stories of every adapter, and interrupts and resumes in both directions. */
import { HttpAgent } from '@ag-ui/client';
import { type BaseEvent, EventType, type Interrupt, type Message, type RunAgentInput } from '@ag-ui/core';
import { approval, email, form, number } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { type AgentEventsOptions, type AgentWork, agentEvents, runWithPeople } from '../src/ag-ui.ts';
import { adapterSuite } from './adapter.suite.ts';
import { type AgUiServer, startAgUi } from './ag-ui-server.ts';
import { stageOfATest } from './stage.ts';

adapterSuite('ag-ui');
adapterSuite('ag-ui-agent');

const openStage = stageOfATest();
type Stage = Awaited<ReturnType<typeof openStage>>;

const serve = (at: Stage, work: (run: AgentWork) => Promise<unknown>, more: Partial<AgentEventsOptions> = {}) =>
  startAgUi((input) => agentEvents(at.hp, input, { thread: at.thread, answering: { hp: at.hp }, ...more }, work));

const contact = form({ email: email(), age: number() }, { title: 'Who are you?', body: 'We write to you.' });
const askContact = ({ ask }: AgentWork) => ask('contact', contact);
const only = (agent: HttpAgent): Interrupt => {
  const [interrupt] = agent.pendingInterrupts;
  if (!interrupt || agent.pendingInterrupts.length > 1) throw new Error('There is not one interrupt.');
  return interrupt;
};

test('[AD23] a question ends the run with an interrupt, and the run that resumes it goes on with the answer', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact, {
    answering: { hp: at.hp, responder: { type: 'human', id: 'ann' } },
  });
  const agent = new HttpAgent({ url: server.url });
  await agent.runAgent();
  const [asked] = await at.everything();
  const interrupt = only(agent);
  expect(interrupt).toMatchObject({
    id: asked?.id,
    reason: 'input_required',
    message: 'Who are you?\n\nWe write to you.',
    responseSchema: { required: ['email', 'age'] },
    metadata: { holdpoint: { kind: 'form', fields: asked?.fields } },
  });
  const payload = { email: 'ann@example.com', age: 41 };
  const { result } = await agent.runAgent({ resume: [{ interruptId: interrupt.id, status: 'resolved', payload }] });
  expect(result).toEqual({ status: 'answered', values: payload });
  expect((await at.everything())[0]?.answer?.by).toEqual({ type: 'human', id: 'ann', via: 'key', keyId: 'admin' });
});

test('[AD23] an answer that does not fit is an error of the run, and can be given again', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact);
  const agent = new HttpAgent({ url: server.url });
  await agent.runAgent();
  const { id: interruptId } = only(agent);
  const errors: { code?: string; message: string }[] = [];
  const resume = (payload: object) =>
    agent.runAgent(
      { resume: [{ interruptId, status: 'resolved', payload }] },
      { onRunErrorEvent: ({ event }) => void errors.push(event) },
    );
  await resume({ email: 'nobody' });
  expect(errors).toMatchObject([{ code: 'invalid-answer', message: expect.stringContaining('/values/email') }]);
  expect((await at.everything())[0]?.status).toBe('pending');
  const { result } = await resume({ email: 'ann@example.com', age: 41 });
  expect(result).toMatchObject({ status: 'answered' });
});

test('[AD23] what was answered elsewhere stays answered so, whatever the run is resumed with', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact);
  const agent = new HttpAgent({ url: server.url });
  await agent.runAgent();
  const { id: interruptId } = only(agent);
  await at.hp.answer(interruptId, { email: 'ann@example.com', age: 41 });
  const { result } = await agent.runAgent({ resume: [{ interruptId, status: 'cancelled' }] });
  expect(result).toMatchObject({ status: 'answered', values: { age: 41 } });
});

test('[AD23] an abandoned interrupt is a declined question', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact);
  const agent = new HttpAgent({ url: server.url });
  await agent.runAgent();
  const { result } = await agent.runAgent({ resume: [{ interruptId: only(agent).id, status: 'cancelled' }] });
  expect(result).toEqual({ status: 'declined' });
});

test.each(['of another thread of AG-UI', 'of another thread of Holdpoint'])(
  '[AD23] nobody answers a question %s by naming it',
  async (which) => {
    await using at = await openStage();
    await using server = await serve(at, askContact);
    await using elsewhere = await serve(at, askContact, { thread: await at.hp.createThread({}) });
    const agent = new HttpAgent({ url: server.url });
    await agent.runAgent();
    const payload = { email: 'mallory@example.com', age: 1 };
    const stranger = which.includes('AG-UI')
      ? new HttpAgent({ url: server.url })
      : new HttpAgent({ url: elsewhere.url, threadId: agent.threadId });
    const errors: string[] = [];
    await stranger.runAgent(
      { resume: [{ interruptId: only(agent).id, status: 'resolved', payload }] },
      { onRunErrorEvent: ({ event }) => void errors.push(event.message) },
    );
    expect(errors).toEqual([`This thread has no interrupt ${only(agent).id}.`]);
    expect(await at.everything()).toMatchObject([{ status: 'pending' }]);
  },
);

test('[AD23] where nobody is said to answer by resuming, questions are answered in Holdpoint alone', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact, { answering: undefined });
  const agent = new HttpAgent({ url: server.url });
  await agent.runAgent();
  const { id: interruptId } = only(agent);
  const errors: string[] = [];
  const payload = { email: 'ann@example.com', age: 41 };
  const onRunErrorEvent = ({ event }: { event: { message: string } }) => void errors.push(event.message);
  await agent.runAgent({ resume: [{ interruptId, status: 'resolved', payload }] }, { onRunErrorEvent });
  expect(errors).toEqual(['Answers are not accepted here, only in Holdpoint.']);
  await agent.runAgent({ resume: [{ interruptId, status: 'cancelled' }] });
  expect(only(agent).id).toBe(interruptId);
  expect(await at.everything()).toMatchObject([{ status: 'pending' }]);
});

test('[AD23] what the work emits is heard as it comes, before the run ends', async () => {
  await using at = await openStage();
  await using server = await serve(at, async ({ emit, ask }) => {
    const messageId = 'm1';
    emit({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' } as BaseEvent);
    emit({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: 'I have a question.' } as BaseEvent);
    emit({ type: EventType.TEXT_MESSAGE_END, messageId } as BaseEvent);
    return ask('contact', contact);
  });
  const agent = new HttpAgent({ url: server.url });
  const { newMessages } = await agent.runAgent();
  expect(newMessages).toMatchObject([{ role: 'assistant', content: 'I have a question.' }]);
  expect(only(agent).reason).toBe('input_required');
});

const call = {
  id: 'call-1',
  type: 'function' as const,
  function: { name: 'send', arguments: '{"to":"ann","copies":1}' },
};
const messages: Message[] = [{ id: 'm1', role: 'assistant', toolCalls: [call] }];
const edited = { to: 'ben', copies: 1 };

test('[AD23] an approval named as a tool call of the thread is of that call, and is approved in the words of AG-UI', async () => {
  await using at = await openStage();
  const question = approval({
    title: 'Send it?',
    arguments: JSON.parse(call.function.arguments),
    fields: { copies: number() },
  });
  await using server = await serve(at, ({ ask }) => ask(call.id, question));
  const agent = new HttpAgent({ url: server.url, initialMessages: messages });
  await agent.runAgent();
  expect(only(agent)).toMatchObject({ reason: 'tool_call', toolCallId: call.id });
  const payload = { approved: true, editedArgs: { copies: 2 } };
  const { result } = await agent.runAgent({ resume: [{ interruptId: only(agent).id, status: 'resolved', payload }] });
  expect(result).toEqual({ status: 'answered', values: { decision: 'allow', copies: 2 } });
});

/** An agent that ends its first run with these interrupts, and its next with what it was resumed with. */
function startAsking(interrupts: Interrupt[]): Promise<AgUiServer> {
  return startAgUi(async function* ({ threadId, runId, resume }: RunAgentInput): AsyncGenerator<BaseEvent> {
    yield { type: EventType.RUN_STARTED, threadId, runId };
    const end = resume
      ? { outcome: { type: 'success' }, result: resume.map(({ metadata: _, ...entry }) => entry) }
      : { outcome: { type: 'interrupt', interrupts } };
    yield { type: EventType.RUN_FINISHED, threadId, runId, ...end };
  });
}

const approved = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const withEdits = { ...approved, properties: { ...approved.properties, editedArgs: { type: 'object' } } };

test.each<[string, Omit<Interrupt, 'id'>, object, object, unknown]>([
  [
    'a tool call is an approval of its arguments, which may be edited where the agent says so',
    { reason: 'tool_call', toolCallId: call.id, message: 'Send it?', responseSchema: withEdits },
    { kind: 'approval', title: 'Send it?', arguments: { to: 'ann', copies: 1 } },
    { values: { decision: 'allow', to: 'ben' } },
    { approved: true, editedArgs: edited },
  ],
  [
    'a tool call without a schema is approved or not',
    { reason: 'tool_call', toolCallId: call.id },
    { kind: 'approval', title: 'tool_call' },
    { values: { decision: 'deny' } },
    { approved: false },
  ],
  [
    'a confirmation is yes or no',
    { reason: 'confirmation', message: 'Go?' },
    { kind: 'approval' },
    { values: { decision: 'allow' } },
    true,
  ],
  [
    'a schema is asked as it is',
    {
      reason: 'input_required',
      message: 'Your age?',
      responseSchema: { type: 'object', properties: { age: { type: 'integer' } } },
    },
    { kind: 'form', payloadSchema: { type: 'object' } },
    { payload: { age: 41 } },
    { age: 41 },
  ],
  [
    'anything else is asked for a text',
    { reason: 'acme:hold', message: 'Why?' },
    { kind: 'input' },
    { values: { text: 'So.' } },
    'So.',
  ],
])('[AD24] %s', async (_, interrupt, asked, answer, payload) => {
  await using at = await openStage();
  await using server = await startAsking([{ id: 'one', ...interrupt }]);
  const running = runWithPeople(at.hp, new HttpAgent({ url: server.url, initialMessages: messages }), {
    thread: at.thread,
  });
  const [question] = await at.asked(1);
  expect(question).toMatchObject(asked);
  await at.hp.submitAnswer({ interactionId: question?.id ?? '', ...answer });
  expect((await running).result).toEqual([{ interruptId: 'one', status: 'resolved', payload }]);
});

test('[AD24] an answer that can be handed on only after the time of the interrupt is handed on as none', async () => {
  await using at = await openStage();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await using server = await startAsking([{ id: 'one', reason: 'confirmation', message: 'Go?', expiresAt }]);
  const agent = new HttpAgent({ url: server.url });
  const running = runWithPeople(at.hp, agent, { thread: at.thread });
  const [question] = await at.asked(1);
  expect(question?.deadline?.at).toBe(expiresAt);
  // As if the hour had passed: the agent's own clock decides.
  for (const interrupt of agent.pendingInterrupts) interrupt.expiresAt = new Date(Date.now() - 1).toISOString();
  await at.hp.answer(question?.id ?? '', { decision: 'allow' });
  expect((await running).result).toEqual([{ interruptId: 'one', status: 'cancelled' }]);
});

test('[AD24] another agent never says who may answer or what a deadline decides', async () => {
  await using at = await openStage();
  const asks = { ...approval({ title: 'Pay?' }), responder: { type: 'any' }, grant: { key: 'pay', scope: 'org' } };
  await using server = await startAsking([{ id: 'one', reason: 'confirmation', metadata: { holdpoint: asks } }]);
  const running = runWithPeople(at.hp, new HttpAgent({ url: server.url }), { thread: at.thread });
  const [question] = await at.asked(1);
  expect(question).toMatchObject({ title: 'Pay?', responder: { type: 'human' } });
  expect(question).not.toHaveProperty('grant');
  await at.hp.answer(question?.id ?? '', { decision: 'allow' });
  expect((await running).result).toEqual([{ interruptId: 'one', status: 'resolved', payload: { decision: 'allow' } }]);
});

test('[AD24] an agent that ends its run with an error is not resumed again and again', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact, { answering: undefined });
  const running = runWithPeople(at.hp, new HttpAgent({ url: server.url }), { thread: at.thread });
  const asked = await at.asked(2);
  const copy = asked.find(({ run }) => run?.toolCallId === undefined);
  await at.hp.answer(copy?.id ?? '', { email: 'ann@example.com', age: 41 });
  await expect(running).rejects.toThrow('Answers are not accepted here, only in Holdpoint.');
  expect(server.inputs).toHaveLength(2);
});
