/** createHoldpoint: the verbs without HTTP, with the same rules, and an end. */
import { createServer } from 'node:net';
import { agent } from '@holdpoint/agents';
import { approval, form, HoldpointError, type LogEvent, number, select } from '@holdpoint/client';
import { expect, onTestFinished, test } from 'vitest';
import { createHoldpoint } from '../../src/index.ts';
import { newPlace } from '../new-place.ts';
import { embeddedHoldpoint, embedOn, optionsFor } from './embedded.ts';

const question = form(
  { env: select(['staging', 'production']), percent: number({ min: 1, max: 100 }) },
  { title: 'Where?' },
);

async function refusal(call: Promise<unknown>): Promise<HoldpointError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HoldpointError);
  return error as HoldpointError;
}

test('[IP1] asks, answers, declines and cancels, and gives what was answered', async () => {
  const hp = await embeddedHoldpoint();
  const { id } = await hp.createThread({ title: 'A release' });
  const asking = hp.ask(id, question);
  await expect.poll(() => hp.listInteractions({ threadId: id })).toMatchObject({ data: [{ status: 'pending' }] });
  const [pending] = (await hp.listInteractions({ threadId: id })).data;
  await hp.answer(pending?.id ?? '', { env: 'staging', percent: 5 });
  expect(await asking).toMatchObject({ status: 'answered', values: { env: 'staging', percent: 5 } });

  const declined = hp.ask(id, question, { idempotencyKey: 'declined' });
  const again = await hp.create(id, question, { idempotencyKey: 'declined' });
  await hp.decline(again, 'Not today');
  expect(await declined).toMatchObject({ status: 'declined' });

  const approving = hp.approve(id, { title: 'Deploy?', arguments: { env: 'production' } }, { idempotencyKey: 'yes' });
  const asked = await hp.create(id, approval({ title: 'Deploy?', arguments: { env: 'production' } }), {
    idempotencyKey: 'yes',
  });
  await hp.answer(asked, { decision: 'allow' });
  expect(await approving).toMatchObject({ approved: true, arguments: { env: 'production' } });
});

test('[PE3] the program and its agents act as local', async () => {
  const asking = agent('deployer', async (ctx) => {
    await ctx.ask(question);
  });
  const hp = await embeddedHoldpoint({ agents: [asking] });
  const { id, createdBy } = await hp.createThread({ agent: 'deployer' });
  expect(createdBy).toEqual({ type: 'agent', id: 'in-process', via: 'local' });
  await hp.postMessage({ threadId: id, text: 'Hello', role: 'user' });
  await expect.poll(async () => (await hp.listInteractions({ threadId: id })).data).toHaveLength(1);
  const [asked] = (await hp.listInteractions({ threadId: id })).data;
  expect(asked?.createdBy).toEqual({ type: 'agent', id: 'agent:deployer', via: 'local' });
  const answered = await hp.submitAnswer({
    ...{ interactionId: asked?.id ?? '', values: { env: 'staging', percent: 5 } },
    responder: { type: 'human', id: 'ann' },
  });
  expect(answered.answer?.by).toEqual({ type: 'human', id: 'ann', via: 'local' });
});

test('[IP1] a deadline fires, and an agent that it was given answers to messages', async () => {
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const echo = agent('echo', async (ctx) => {
    const { blocks } = await ctx.message();
    await ctx.say(`You said: ${JSON.stringify(blocks).length > 0}`);
  });
  const hp = await embeddedHoldpoint({ agents: [echo] }, { clock });
  const { id } = await hp.createThread({ agent: 'echo' });
  await hp.postMessage({ threadId: id, text: 'Hello', role: 'user' });
  await expect.poll(async () => (await hp.listMessages({ threadId: id })).data).toHaveLength(2);
  const dueAt = new Date(clock.now() + 3_600_000).toISOString();
  const asking = hp.ask(id, { title: 'Now?', deadline: { at: dueAt, outcome: 'expire' } });
  await expect.poll(async () => (await hp.listInteractions({ threadId: id })).data).toHaveLength(1);
  clock.offsetMs = 3_700_000;
  expect(await asking).toMatchObject({ status: 'expired' });
});

test('[IP2] what HTTP refuses is refused in the same words, and nothing of it is stored', async () => {
  const hp = await embeddedHoldpoint();
  const { id } = await hp.createThread({});
  const bad = hp as unknown as Record<string, (input?: unknown) => Promise<unknown>>;
  const call = (verb: string, input?: unknown) => refusal(bad[verb]?.(input) ?? Promise.resolve());

  expect(await call('createThread', { id: 7 })).toMatchObject({
    code: 'invalid-input',
    fault: { problems: [{ pointer: '/id' }] },
  });
  expect(await call('createInteraction', { threadId: id, title: 'A', unknown: true })).toMatchObject({
    code: 'invalid-input',
    fault: { problems: [{ pointer: '/unknown' }] },
  });
  expect(await call('listThreads', { limit: 100_000 })).toMatchObject({
    fault: { problems: [{ pointer: '/query/limit' }] },
  });
  expect(await call('getThread')).toMatchObject({ fault: { problems: [{ pointer: '/path/threadId' }] } });
  expect(await call('getThread', { threadId: 'nobody' })).toMatchObject({ code: 'thread-not-found' });
  expect(await call('createThread', { idempotencyKey: 'with a space' })).toMatchObject({
    fault: { problems: [{ pointer: '/headers/idempotency-key' }] },
  });
  expect(await call('uploadFile', { interactionId: 'x', field: 'f', name: 'n', content: 'text' })).toMatchObject({
    fault: { problems: [{ pointer: '/content' }] },
  });
  expect((await hp.listThreads({})).data).toHaveLength(1);
  expect((await hp.listInteractions({ threadId: id })).data).toEqual([]);
});

test('[IP2] values are taken as JSON, and what is none is refused', async () => {
  const hp = await embeddedHoldpoint();
  const day = new Date('2026-11-16T10:00:00Z');
  const metadata = { day, left: undefined, nan: Number.NaN } as never;
  const { id } = await hp.createThread({ metadata });
  expect((await hp.getThread({ threadId: id })).metadata).toEqual({ day: day.toISOString(), nan: null });

  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  const deep = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`);
  const proto = JSON.parse('{"__proto__":{"isAdmin":true}}');
  const constructed = JSON.parse('{"constructor":{"prototype":{}}}');
  for (const broken of [{ big: 1n }, circle, deep, proto, { inner: [constructed] }])
    expect(await refusal(hp.createThread({ metadata: broken }))).toMatchObject({ code: 'malformed-body' });
  expect(await refusal(hp.createThread({ metadata: { long: 'x'.repeat(1_100_000) } }))).toMatchObject({
    code: 'body-too-large',
  });
  expect((await hp.listThreads({})).data).toHaveLength(1);
});

test('[IP2] what is changed after a call, on either side of it, changes nothing', async () => {
  const hp = await embeddedHoldpoint();
  const { id } = await hp.createThread({});
  const asked = { title: 'Deploy?', kind: 'approval' as const, arguments: { env: 'staging' } };
  const creating = hp.createInteraction({ threadId: id, ...asked });
  asked.arguments.env = 'production';
  const created = await creating;
  expect(created.arguments).toEqual({ env: 'staging' });
  (created.arguments as Record<string, unknown>).env = 'production';
  created.status = 'answered';
  expect(await hp.get(created.id)).toMatchObject({ status: 'pending', arguments: { env: 'staging' } });
});

test('[IP3] events come in order from the start, without a gap, and end with the signal', async () => {
  const hp = await embeddedHoldpoint();
  const { id } = await hp.createThread({});
  const count = 2_300;
  for (let posted = 0; posted < count; posted += 100)
    await Promise.all(Array.from({ length: 100 }, () => hp.postMessage({ threadId: id, text: 'again' })));
  const stop = new AbortController();
  const seen: LogEvent[] = [];
  for await (const event of hp.events({ after: 'start', threadId: id, signal: stop.signal })) {
    seen.push(event);
    if (event.type === 'message.created' && event.seq === count + 1)
      await hp.postMessage({ threadId: id, text: 'live' });
    if (event.seq === count + 2) stop.abort();
  }
  expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: count + 2 }, (_, index) => index + 1));
  const { cursor } = seen[9] as LogEvent;
  for await (const event of hp.events({ after: cursor, types: ['message.created'] })) {
    expect(event.seq).toBe(11);
    break;
  }
});

test('[IP3] a filter that makes no sense is refused, as it is over HTTP', async () => {
  const hp = await embeddedHoldpoint();
  const first = (options: object) => hp.events(options)[Symbol.asyncIterator]().next();
  expect(await refusal(first({ types: ['nothing'] }))).toMatchObject({
    fault: { problems: [{ pointer: '/query/types' }] },
  });
  expect(await refusal(first({ after: 'nowhere' }))).toMatchObject({ code: 'invalid-cursor' });
  expect(await refusal(first({ threadId: 'nobody' }))).toMatchObject({ code: 'thread-not-found' });
});

test('[IP4] close lets waits and events go, refuses what comes later, and leaves all that was asked', async () => {
  const place = await newPlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const hp = await embedOn(place);
  const { id } = await hp.createThread({});
  const asking = refusal(hp.ask(id, question, { idempotencyKey: 'once' }));
  const seen: string[] = [];
  const following = (async () => {
    for await (const { type } of hp.events({ after: 'start' })) seen.push(type);
  })();
  await expect.poll(() => seen).toEqual(['thread.created', 'interaction.created']);
  const closing = hp.close();
  expect(await asking).toMatchObject({ code: 'shutting-down' });
  await following;
  await closing;
  await hp.close();
  expect(await place.isClosedInOrder()).toBe(true);
  expect(await refusal(hp.getThread({ threadId: id }))).toMatchObject({ code: 'shutting-down' });
  expect(await refusal(hp.wait('anything'))).toMatchObject({ code: 'shutting-down' });

  const next = await embedOn(place);
  const again = await next.create(id, question, { idempotencyKey: 'once' });
  expect((await next.listInteractions({ threadId: id })).data).toHaveLength(1);
  await next.answer(again, { env: 'production', percent: 100 });
  expect(await next.ask(id, question, { idempotencyKey: 'once' })).toMatchObject({ status: 'answered' });
});

test('[IP4] a call that is under way is finished before the data is closed', async () => {
  const place = await newPlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const hp = await embedOn(place);
  const made = Array.from({ length: 50 }, (_, index) => hp.createThread({ id: `t${index}` }));
  await Promise.all([...made, hp.close()]);
  const next = await embedOn(place);
  expect((await next.listThreads({ limit: 100 })).data).toHaveLength(50);
});

test('[IP1] no port is opened', async () => {
  const listening = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  const before = listening();
  const server = createServer().listen(0);
  await expect.poll(listening).toBe(before + 1);
  await embeddedHoldpoint();
  expect(listening()).toBe(before + 1);
  server.close();
});

test('[IP5] [X44] links to questions and to streams lead where the options say, and are left out where they lead nowhere', async () => {
  const hp = await embeddedHoldpoint();
  const { id } = await hp.createThread({});
  const { id: interactionId } = await hp.create(id, question);
  const minted = await hp.mintResponderToken({ responderId: 'ada', interactionId });
  expect(minted).toMatchObject({ token: expect.stringMatching(/^hpr_/) });
  expect(minted.url).toBeUndefined();
  expect((await hp.mintStreamToken({})).url).toBeUndefined();
  const reached = await embeddedHoldpoint({ publicUrl: 'https://holdpoint.example.com' });
  const thread = await reached.createThread({});
  const asked = await reached.create(thread, question);
  const { url } = await reached.mintResponderToken({ responderId: 'ada', interactionId: asked.id });
  expect(url).toMatch(/^https:\/\/holdpoint\.example\.com\/a\/#hpr_/);
  const stream = await reached.mintStreamToken({ threadId: thread.id });
  expect(stream.url).toMatch(/^https:\/\/holdpoint\.example\.com\/v1\/events\?token=hps_/);
});

test('[IP6] invalid options are rejected before anything is opened', async () => {
  const place = await newPlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const given = optionsFor(place);
  const twice = agent('twice', async () => {});
  for (const [options, message] of [
    [undefined, 'give options'],
    [{ data: 5 }, 'data is a text'],
    [{ ...given, agents: null }, 'agents are what agent(name, run) makes'],
    [{ ...given, agents: [{ name: 'x' }] }, 'agents are what agent(name, run) makes'],
    [{}, 'give data, a folder, or databaseUrl, one of the two'],
    [{ data: ' ' }, 'data must not be empty'],
    [{ databaseUrl: 'mysql://host/name' }, 'the database URL must be like postgres://'],
    [{ ...given, publicUrl: 'holdpoint.example.com' }, 'publicUrl takes an address like'],
    [{ ...given, port: 7400 }, 'there is no option "port"'],
    [{ ...given, agents: [twice, twice] }, 'two agents are named "twice"'],
  ] as const)
    await expect(createHoldpoint(options as never)).rejects.toThrow(message);
  expect(await place.isOpened()).toBe(false);
});
