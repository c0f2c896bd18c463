/** A2A: the stories of every adapter, and questions that go over A2A itself, in both directions. */
import { type Message, type Part, type Task, TaskState } from '@a2a-js/sdk';
import { approval, email, form, input, number, text } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { messageOf } from '../src/a2a/parts.ts';
import {
  dataPart,
  type ExecutorOptions,
  type FollowOptions,
  holdpointExecutor,
  sendWithPeople,
  textPart,
} from '../src/a2a.ts';
import { type A2AServer, startA2A } from './a2a-server.ts';
import { adapterSuite } from './adapter.suite.ts';
import { askingExecutor } from './asking-executor.ts';
import { stageOfATest } from './stage.ts';

adapterSuite('a2a');
adapterSuite('a2a-client');

const openStage = stageOfATest();
type Stage = Awaited<ReturnType<typeof openStage>>;

async function serve(
  at: Stage,
  work: ExecutorOptions['work'],
  more: Partial<ExecutorOptions> = {},
): Promise<A2AServer> {
  const executor = holdpointExecutor(at.hp, { thread: at.thread, work, answering: () => ({ hp: at.hp }), ...more });
  const server = await startA2A(executor);
  executor.handler = server.handler;
  return server;
}

async function send({ client }: A2AServer, parts: Part[], task?: Task): Promise<Task> {
  const message = messageOf('user', { taskId: task?.id ?? '', contextId: task?.contextId ?? '' }, parts);
  return (await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined })) as Task;
}

const current = ({ client }: A2AServer, { id }: Task): Promise<Task> => client.getTask({ tenant: '', id });
const contents = (message: Message | undefined) => message?.parts.map(({ content }) => content?.value);
const { TASK_STATE_INPUT_REQUIRED: inputRequired, TASK_STATE_COMPLETED: completed } = TaskState;

const contact = form({ email: email(), age: number() }, { title: 'Who are you?', body: 'We write to you.' });
const askContact: ExecutorOptions['work'] = async ({ ask }) => [dataPart(await ask('contact', contact))];

test('[AD25] a question makes the task input-required, and its answer by A2A completes it', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact, {
    answering: () => ({ hp: at.hp, responder: { type: 'human', id: 'ann' } }),
  });
  const task = await send(server, [textPart('Hello')]);
  const [asked] = await at.everything();
  expect(task.status?.state).toBe(inputRequired);
  const [words, data] = task.status?.message?.parts ?? [];
  expect(words?.content?.value).toBe('Who are you?\n\nWe write to you.');
  expect(data?.content?.value).toMatchObject({
    kind: 'form',
    fields: asked?.fields,
    schema: { required: ['email', 'age'] },
  });
  expect(data?.metadata).toEqual({ interactionId: asked?.id });
  const values = { email: 'ann@example.com', age: 41 };
  const done = await send(server, [dataPart(values)], task);
  expect(done.status?.state).toBe(completed);
  expect(done.artifacts[0]?.parts[0]?.content?.value).toEqual({ status: 'answered', values });
  expect((await at.everything())[0]?.answer?.by).toEqual({ type: 'human', id: 'ann', via: 'key', keyId: 'admin' });
});

test('[AD25] a refused answer keeps the task input-required, with the problems', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact);
  const task = await send(server, [textPart('Hello')]);
  const refused = await send(server, [dataPart({ email: 'nobody' })], task);
  expect(refused.status?.state).toBe(inputRequired);
  expect(contents(refused.status?.message)).toContainEqual({
    problems: expect.arrayContaining([expect.objectContaining({ pointer: '/values/email' })]),
  });
  expect((await at.everything())[0]?.status).toBe('pending');
  const done = await send(server, [dataPart({ email: 'ann@example.com', age: 41 })], refused);
  expect(done.status?.state).toBe(completed);
});

test('[AD25] where nobody is said to answer by A2A, questions are answered in Holdpoint alone', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact, { answering: () => undefined });
  const task = await send(server, [textPart('Hello')]);
  const refused = await send(server, [dataPart({ email: 'ann@example.com', age: 41 })], task);
  expect(refused.status?.state).toBe(inputRequired);
  expect(contents(refused.status?.message)?.[0]).toBe('Answers are not accepted here, only in Holdpoint.');
  expect(await at.everything()).toMatchObject([{ status: 'pending' }]);
});

test('[AD25] a task goes on by itself when somebody answers elsewhere', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact);
  const task = await send(server, [textPart('Hello')]);
  const [asked] = await at.everything();
  await at.hp.answer(asked?.id ?? '', { email: 'ann@example.com', age: 41 });
  await expect.poll(async () => (await current(server, task)).status?.state).toBe(completed);
});

test('[AD25] a text is taken for the only field, or for an option by its label', async () => {
  await using at = await openStage();
  await using server = await serve(at, async ({ ask }) => {
    const name = await ask('name', input(text(), { title: 'Your name?' }));
    return [dataPart([name, await ask('go', approval({ title: 'Go on?' }))])];
  });
  const task = await send(server, [textPart('Hello')]);
  const named = await send(server, [textPart('Ann')], task);
  expect(named.status?.state).toBe(inputRequired);
  const done = await send(server, [textPart('allow')], named);
  expect(done.artifacts[0]?.parts[0]?.content?.value).toEqual([
    { status: 'answered', values: { text: 'Ann' } },
    { status: 'answered', values: { decision: 'allow' } },
  ]);
});

test('[AD3] [AD25] of two questions each answer names its own, and none answers a question of another task', async () => {
  await using at = await openStage();
  const work: ExecutorOptions['work'] = async ({ ask }) => {
    const both = ['north', 'south'].map((name) => ask(name, approval({ title: `${name}?` })));
    return [dataPart((await Promise.all(both)).map(({ status }) => status))];
  };
  await using server = await serve(at, work);
  const other = await send(server, [textPart('Hello')]);
  const task = await send(server, [textPart('Hello')]);
  const asked = await at.asked(4);
  const of = ({ id }: Task, title: string) => asked.find((each) => each.run?.id === id && each.title === title)?.id;
  const allow = { decision: 'allow' };
  const unsaid = await send(server, [dataPart(allow)], task);
  expect(contents(unsaid.status?.message)?.[0]).toMatch(/Name the question/);
  const foreign = await send(server, [dataPart(allow, { interactionId: of(other, 'north?') })], task);
  expect(contents(foreign.status?.message)?.[0]).toMatch(/no open question with this id/);
  const half = await send(server, [dataPart(allow, { interactionId: of(task, 'south?') })], task);
  expect(half.status?.state).toBe(inputRequired);
  const no = dataPart({}, { interactionId: of(task, 'north?'), decline: true, reason: 'No.' });
  const done = await send(server, [no], half);
  expect(done.artifacts[0]?.parts[0]?.content?.value).toEqual(['declined', 'answered']);
  expect(await at.hp.get(of(task, 'north?') ?? '')).toMatchObject({ answer: { reason: 'No.' } });
  expect(await at.hp.countInteractions({ threadId: at.thread.id, status: 'pending' })).toMatchObject({ count: 2 });
});

test('[AD25] a task that is cancelled withdraws its questions', async () => {
  await using at = await openStage();
  await using server = await serve(at, askContact);
  const task = await send(server, [textPart('Hello')]);
  const cancelled = await server.client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  expect(await at.everything()).toMatchObject([{ status: 'cancelled' }]);
});

test('[AD25] an answer by A2A that comes while the task is going on by itself is not lost', async () => {
  await using at = await openStage();
  const gate = Promise.withResolvers<void>();
  const turns: number[] = [];
  await using server = await serve(at, async ({ ask }) => {
    if (turns.push(turns.length) === 2) await gate.promise;
    const both = ['north', 'south'].map((name) => ask(name, approval({ title: `${name}?` })));
    return [dataPart((await Promise.all(both)).map(({ status }) => status))];
  });
  const task = await send(server, [textPart('Hello')]);
  const [north, south] = (await at.asked(2)).toSorted((a, b) => a.title.localeCompare(b.title));
  await at.hp.answer(north?.id ?? '', { decision: 'allow' });
  await expect.poll(() => turns).toHaveLength(2);
  const answer = dataPart({ decision: 'allow' }, { interactionId: south?.id });
  const sending = send(server, [answer], task);
  const heard = async () => (await current(server, task)).history.flatMap(({ parts }) => parts);
  await expect.poll(heard).toContainEqual(expect.objectContaining({ content: answer.content }));
  gate.resolve();
  await sending;
  await expect.poll(async () => (await current(server, task)).status?.state).toBe(completed);
});

async function askElsewhere(
  at: Stage,
  parts: Part[],
  tell: (message: Message) => Part[],
  more: Partial<FollowOptions> = {},
) {
  const server = await startA2A(askingExecutor(parts, tell));
  const following = sendWithPeople(at.hp, server.client, [textPart('Go.')], { thread: at.thread, ...more });
  return { server, following, end: async () => contents(((await following) as Task).status?.message) };
}

test('[AD26] what another agent says when it needs input is asked as a text, and the answer is sent back', async () => {
  await using at = await openStage();
  const { server, end } = await askElsewhere(at, [textPart('Which airport?')], ({ parts }) => parts);
  await using _ = server;
  const [asked] = await at.asked(1);
  expect(asked).toMatchObject({ title: 'Which airport?', kind: 'input' });
  await at.hp.answer(asked?.id ?? '', { text: 'Oslo' });
  expect(await end()).toEqual(['Oslo']);
});

test('[AD26] another agent never says who may answer or what a deadline decides', async () => {
  await using at = await openStage();
  const asks = {
    ...approval({ title: 'Pay?' }),
    responder: { type: 'any' },
    grant: { key: 'pay', scope: 'org' },
    recommendations: { decision: 'allow' },
    deadline: { at: new Date(Date.now() + 60_000).toISOString(), outcome: 'recommended' },
  };
  const { server, end } = await askElsewhere(at, [dataPart(asks, { interactionId: 'one' })], ({ parts }) => parts);
  await using _ = server;
  const [asked] = await at.asked(1);
  expect(asked).toMatchObject({ title: 'Pay?', responder: { type: 'human' } });
  expect(asked).not.toHaveProperty('grant');
  expect(asked).not.toHaveProperty('recommendations');
  expect(asked).not.toHaveProperty('deadline');
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  expect(await end()).toEqual([{ decision: 'allow' }]);
});
