/** LangGraph.js: the stories of every adapter, and the shapes in which graphs ask. */
import { approval, form, type Interaction, number } from '@holdpoint/protocol';
import { Annotation, Command, interrupt, MemorySaver, Send, StateGraph } from '@langchain/langgraph';
import type { HumanInterrupt } from '@langchain/langgraph/prebuilt';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inboxQuestion } from '../src/langgraph/interrupt-questions.ts';
import { answerInterrupts, askInterrupts, hold, pendingInterrupts, runWithPeople } from '../src/langgraph.ts';
import { adapterSuite } from './adapter.suite.ts';
import { stageOfATest } from './stage.ts';

adapterSuite('langgraph');

const openStage = stageOfATest();
const config = { configurable: { thread_id: 'one' } };
const State = Annotation.Root({
  topics: Annotation<string[]>,
  said: Annotation<unknown[]>({ reducer: (all, more) => all.concat(more), default: () => [] }),
});

/** A graph of one node, whose result is the outcome that the node got. */
const graphOf = (node: () => unknown) =>
  new StateGraph(State)
    .addNode('ask', () => ({ said: [node()] }))
    .addEdge('__start__', 'ask')
    .compile({ checkpointer: new MemorySaver() });

const email: HumanInterrupt = {
  action_request: { action: 'Send the email', args: { to: 'ann@example.com', copies: 1, urgent: true, tags: ['a'] } },
  config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
  description: 'It goes to a customer.',
};

/** Runs a node up to its end, with what a person does to the first question. */
async function ask(
  node: () => unknown,
  act: (at: Awaited<ReturnType<typeof openStage>>, id: string) => Promise<unknown>,
) {
  await using at = await openStage();
  const running = runWithPeople(at.hp, graphOf(node), {}, { thread: at.thread, config });
  const [asked] = await at.asked(1);
  await act(at, asked?.id ?? '');
  return { asked, said: (await running).said[0] };
}

test('[AD20] a node that holds a question gets the outcome with its type', async () => {
  const question = form({ replicas: number() }, { title: 'How many?' });
  const node = () => {
    const outcome = hold(question);
    return outcome.status === 'answered' ? outcome.values.replicas + 1 : outcome.status;
  };
  expect((await ask(node, (at, id) => at.hp.answer(id, { replicas: 3 }))).said).toBe(4);
  expect((await ask(node, (at, id) => at.hp.decline(id))).said).toBe('declined');
});

test('[AD20] the same question asked twice by one node is two questions, also for who comes back in between', async () => {
  await using at = await openStage();
  const again = () => hold(approval({ title: 'Try again?' })).status;
  const graph = graphOf(() => [again(), again()]);
  const stop = new AbortController();
  const cut = runWithPeople(at.hp, graph, {}, { thread: at.thread, config, signal: stop.signal });
  const [first] = await at.asked(1);
  await at.hp.answer(first?.id ?? '', { decision: 'allow' });
  await at.asked(2);
  stop.abort();
  await expect(cut).rejects.toThrow();
  const running = runWithPeople(at.hp, graph, {}, { thread: at.thread, config });
  const [, second] = await at.asked(2);
  await at.hp.decline(second?.id ?? '');
  expect((await running).said).toEqual([['answered', 'declined']]);
  await at.asked(2);
});

test('[AD20] a node that fails after it was resumed goes on with its answers, and nobody is asked again', async () => {
  await using at = await openStage();
  // A node begins again from its first line: these are the ends of its calls, one after the other.
  const ends = ['The first call failed.', 'fine', 'fine', 'The second call failed.'];
  const call = () => {
    const end = ends.shift() ?? 'fine';
    if (end !== 'fine') throw new Error(end);
  };
  const graph = graphOf(() => {
    const first = hold(approval({ title: 'First?' })).status;
    call();
    const second = hold(approval({ title: 'Second?' })).status;
    call();
    return [first, second];
  });
  const run = () => runWithPeople(at.hp, graph, {}, { thread: at.thread, config });
  const begun = run();
  const [first] = await at.asked(1);
  await at.hp.answer(first?.id ?? '', { decision: 'allow' });
  await expect(begun).rejects.toThrow('The first call failed.');
  const again = run();
  const [, second] = await at.asked(2);
  expect(second?.title).toBe('Second?');
  await at.hp.decline(second?.id ?? '');
  await expect(again).rejects.toThrow('The second call failed.');
  expect((await run()).said).toEqual([['answered', 'declined']]);
  await at.asked(2);
});

test('[AD20] a node of a subgraph asks like any other', async () => {
  await using at = await openStage();
  const inner = new StateGraph(State)
    .addNode('ask', () => ({ said: [hold(approval({ title: 'Go?' })).status] }))
    .addEdge('__start__', 'ask')
    .compile();
  const graph = new StateGraph(State)
    .addNode('inner', inner)
    .addEdge('__start__', 'inner')
    .compile({ checkpointer: new MemorySaver() });
  const running = runWithPeople(at.hp, graph, {}, { thread: at.thread, config });
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  expect((await running).said).toEqual(['answered']);
});

test('[AD20] an author who drives the graph asks, goes away, and resumes with what was said', async () => {
  await using at = await openStage();
  const graph = new StateGraph(State)
    .addNode('ask', ({ topics }) => ({ said: [`${topics[0]} ${hold(approval({ title: `${topics[0]}?` })).status}`] }))
    .addConditionalEdges('__start__', ({ topics }) => topics.map((topic) => new Send('ask', { topics: [topic] })), [
      'ask',
    ])
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ topics: ['north', 'south'] }, config);
  const pending = await pendingInterrupts(graph, config);
  const asked = (await askInterrupts(at.hp, pending, { thread: at.thread })).flat();
  expect(asked.map(({ title }) => title)).toEqual(['north?', 'south?']);
  await at.hp.decline(asked[1]?.id ?? '');
  await at.hp.answer(asked[0]?.id ?? '', { decision: 'allow' });
  // One of two: the snapshot of LangGraph shows both until the step is over.
  const [north, south] = pending;
  const resume = await answerInterrupts(at.hp, north ? [north] : [], { thread: at.thread });
  await graph.invoke(new Command({ resume }), config);
  expect(await pendingInterrupts(graph, config)).toMatchObject([{ id: south?.id }]);
  const rest = await answerInterrupts(at.hp, south ? [south] : [], { thread: at.thread });
  const { said } = await graph.invoke(new Command({ resume: rest }), config);
  expect(said.sort()).toEqual(['north answered', 'south declined']);
  await at.asked(2);
});

test('[AD21] a HumanInterrupt is an approval whose arguments may be edited', async () => {
  const { asked, said } = await ask(
    () => interrupt(email),
    (at, id) => at.hp.answer(id, { decision: 'accept', copies: 2, urgent: false }),
  );
  expect(asked).toMatchObject({ kind: 'approval', title: 'Send the email', arguments: email.action_request.args });
  const args = { ...email.action_request.args, copies: 2, urgent: false };
  expect(said).toEqual({ type: 'edit', args: { action: 'Send the email', args } });
});

test.each([
  ['accept', { decision: 'accept' }, { type: 'accept', args: null }],
  ['respond', { decision: 'respond', response: 'Not yet.' }, { type: 'response', args: 'Not yet.' }],
  ['ignore', { decision: 'ignore' }, { type: 'ignore', args: null }],
])('[AD21] a HumanInterrupt: %s', async (_, values, response) => {
  const { said } = await ask(
    () => interrupt([email]),
    (at, id) => at.hp.answer(id, values),
  );
  expect(said).toEqual([response]);
});

test('[AN31] a response that a deadline gave is nobody’s', () => {
  const answer = { decision: 'declined', values: { decision: 'respond', response: 'Fine.' } };
  const closed = (by: object) => ({ status: 'answered', answer: { ...answer, ...by } }) as unknown as Interaction;
  const { resume } = inboxQuestion(email);
  expect(resume(closed({}), {})).toEqual({ type: 'response', args: 'Fine.' });
  expect(resume(closed({ automatic: 'deadline' }), {})).toEqual({ type: 'ignore', args: null });
});

test('[AD21] a HumanInterrupt that only takes a response asks for a text, and to decline it is to ignore it', async () => {
  const config = { allow_accept: false, allow_edit: false, allow_respond: true, allow_ignore: false };
  const asking = () => interrupt({ ...email, config });
  const { asked, said } = await ask(asking, (at, id) => at.hp.answer(id, { response: 'Call me.' }));
  expect(asked?.kind).toBe('input');
  expect(said).toEqual({ type: 'response', args: 'Call me.' });
  expect((await ask(asking, (at, id) => at.hp.decline(id))).said).toEqual({ type: 'ignore', args: null });
});

const script = {
  actionRequests: [
    { name: 'delete_rows', args: { table: 'orders' } },
    { name: 'delete_rows', args: { table: 'users' }, description: 'All of them.' },
    { name: 'write_file', args: { path: 'a.txt' } },
  ],
  reviewConfigs: [
    { actionName: 'delete_rows', allowedDecisions: ['approve', 'reject'] },
    { actionName: 'write_file', allowedDecisions: ['approve', 'edit', 'reject'] },
  ],
};
const python = {
  action_requests: script.actionRequests,
  review_configs: script.reviewConfigs.map(({ actionName, allowedDecisions }) => ({
    action_name: actionName,
    allowed_decisions: allowedDecisions,
  })),
};

test.each([
  ['editedAction', script],
  ['edited_action', python],
])(
  '[AD21] several actions of the middleware are several questions, each decision at its place: %s',
  async (edited, request) => {
    await using at = await openStage();
    const graph = graphOf(() => interrupt(request));
    const running = runWithPeople(at.hp, graph, {}, { thread: at.thread, config });
    const asked = await at.asked(3);
    const about = (word: string) => asked.find((each) => Object.values(each.arguments ?? {}).includes(word));
    await at.hp.answer(about('a.txt')?.id ?? '', { decision: 'allow', path: 'b.txt' });
    await at.hp.decline(about('users')?.id ?? '', 'Never.');
    await at.hp.answer(about('orders')?.id ?? '', { decision: 'allow' });
    expect(about('orders')?.fields).toHaveLength(1);
    expect((await running).said[0]).toEqual({
      decisions: [
        { type: 'approve' },
        { type: 'reject', message: 'declined: Never.' },
        { type: 'edit', [edited]: { name: 'write_file', args: { path: 'b.txt' } } },
      ],
    });
  },
);

test('[AD22] any other interrupt asks for a text, or for what its schema says', async () => {
  const { asked, said } = await ask(
    () => interrupt('What is your name?'),
    (at, id) => at.hp.answer(id, { text: 'Ann' }),
  );
  expect(asked?.title).toBe('What is your name?');
  expect(said).toBe('Ann');
  const age = { responseSchema: z.object({ age: z.number() }) };
  const typed = await ask(
    () => interrupt({ about: 'you' }, age),
    (at, id) => at.hp.submitAnswer({ interactionId: id, payload: { age: 41 } }),
  );
  expect(typed.asked).toMatchObject({ payloadSchema: { properties: { age: { type: 'number' } } } });
  expect(typed.said).toEqual({ age: 41 });
});

test('[AD22] who expects a value gets null where nobody gave one', async () => {
  const { said } = await ask(
    () => [interrupt('What is your name?')],
    (at, id) => at.hp.decline(id),
  );
  expect(said).toEqual([null]);
});
