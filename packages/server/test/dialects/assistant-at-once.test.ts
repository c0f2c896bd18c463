/** Messages that arrive while the assistant still answers: the model gets all of them, with their results, in order. */
import { setTimeout } from 'node:timers/promises';
import { assistant, modelAt, onboardingTools } from '@holdpoint/agents/assistant';
import { type Interaction, isObject, type Message } from '@holdpoint/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../agents/test/model-server.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let model: ModelServer;
let replies = 0;

type Request = ModelServer['requests'][number];

const contentOf = ({ content }: Request['messages'][number]) => (typeof content === 'string' ? content : '');

beforeAll(async () => {
  model = await startModelServer();
  // Asks where the person says so, and otherwise replies in words that are found nowhere else, as late as the person has said.
  model.decide(({ messages }) => {
    const last = messages.at(-1);
    const [, tag, ms] =
      /<(\S+) thinks (\d+)>/.exec(messages.map(contentOf).findLast((one) => /thinks/.test(one)) ?? '') ?? [];
    if (last?.role === 'user' && contentOf(last).includes('ask me')) {
      const styles = [`Red ${tag}`, `Blue ${tag}`].map((name) => ({ id: name, name }));
      return { toolCalls: [{ id: 'call_0', name: 'presentStyleOptions', args: { styles } }] };
    }
    return { text: ['(reply ', `${++replies})`], until: setTimeout(Number(ms ?? 0)) };
  });
  const own = assistant({
    model: modelAt({ url: model.url, model: 'scripted' }),
    interactionTools: onboardingTools,
    maxRetries: 0,
    historyLength: 200,
  });
  server = await startTestServer({ internals: { agents: [own] } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** What a chat has, when nothing is going on in it. */
interface Kept {
  said: string[];
  replies: string[];
  answers: unknown[];
}

class Chat {
  readonly id: string;
  /** In the order in which it was sent. */
  readonly sent: string[] = [];

  constructor(id: string) {
    this.id = id;
  }

  static begin = async () => new Chat((await server.admin.post<{ id: string }>('/v1/threads')).body.id);

  async say(message: string): Promise<string> {
    this.sent.push(message);
    const { status, body } = await server.admin.post(`/api/v1/chats/${this.id}/messages`, { message });
    expect(status).toBe(200);
    return String(body.status);
  }

  async kept(): Promise<Kept> {
    const list = async <T>(path: string) => (await server.admin.get<{ data: T[] }>(path)).body.data;
    const messages = await list<Message>(`/v1/threads/${this.id}/messages?limit=200`);
    const asked = await list<Interaction>(`/v1/interactions?threadId=${this.id}&order=oldest&limit=200`);
    return {
      said: [...this.sent],
      replies: messages.flatMap(({ blocks }) => blocks.map(({ payload }) => String(payload.text))).filter(isReply),
      answers: asked.flatMap(({ answer }) => (answer ? [answer.values.choice] : [])),
    };
  }
}

const isReply = (text: string) => text.startsWith('(reply ');

/** The request that the model was sent for a message which said this, and nothing after it. */
function requestFor(message: string): Request {
  return (
    model.requests.find(({ messages }) => contentOf(messages.at(-1) ?? { role: '' }) === message) ??
    expect.fail(message)
  );
}

/** Everything once, a reply after what it answers, and of every answer what it was. */
function expectAll({ messages }: Request, { said, replies, answers }: Kept): void {
  const prompt = messages.map(contentOf);
  const whole = prompt.join('\n');
  const places = (text: string) => prompt.flatMap((one, at) => (one.includes(text) ? [at] : []));
  for (const text of [...said, ...replies]) expect(places(text), `${text} in ${whole}`).toHaveLength(1);
  const results = messages.filter(({ role }) => role === 'tool').map((one) => JSON.parse(contentOf(one)) as unknown);
  const selected = results.filter((one) => isObject(one) && one.status === 'answered');
  expect(selected.map((one) => (one as { selected: { id: string } }).selected.id)).toEqual(answers);
  expect(whole).not.toContain('interrupted');
  // What each is a reply to stands before it: two replies in a row would be one message.
  expect(prompt.filter((one) => one.split('(reply').length > 2)).toEqual([]);
}

const round = fc.record({
  gapMs: fc.integer({ min: 0, max: 50 }),
  thinksMs: fc.integer({ min: 0, max: 20 }),
  isAnswer: fc.boolean(),
});

test('[AS12] of 200 pairs of messages 0 to 50 ms apart the next request has all that was said and answered', async () => {
  const rounds = fc.sample(round, { numRuns: 200, seed: 17 });
  const chats = Array.from({ length: 10 }, (_, at) => rounds.slice(at * 20, (at + 1) * 20));
  const answers = await Promise.all(
    chats.map(async (pairs, at) => {
      const chat = await Chat.begin();
      let before = await chat.kept();
      for (const [number, { gapMs, thinksMs, isAnswer }] of pairs.entries()) {
        const tag = `c${at}r${number}`;
        const first = `<${tag} thinks ${thinksMs}>${isAnswer ? ' ask me' : ''}`;
        const saying = chat.say(first);
        if (isAnswer) expect(await saying).toBe('interaction_required');
        const answering = isAnswer ? chat.say(`Take Red ${tag}!`) : saying;
        await setTimeout(gapMs);
        await Promise.all([answering, chat.say(`<${tag} second>`)]);
        expectAll(requestFor(first), before);
        before = await chat.kept();
      }
      await chat.say(`<${at} last>`);
      expectAll(requestFor(`<${at} last>`), before);
      return before.answers;
    }),
  );
  // Not every question was withdrawn by the message after its answer.
  expect(answers.flat().length).toBeGreaterThan(50);
});

test.each([
  ['in a new chat', false],
  ['one of them an answer', true],
])('[AS12] of 25 messages at once, %s, the next request has all', async (_how, isAsked) => {
  const chat = await Chat.begin();
  const tag = isAsked ? 'asked' : 'new';
  if (isAsked) await chat.say(`<${tag} thinks 5> ask me`);
  const all = Array.from({ length: 25 }, (_, at) =>
    isAsked && at === 0 ? `Take Blue ${tag}!` : `<${tag} at once ${at}>`,
  );
  await Promise.all(all.map((message) => chat.say(message)));
  const before = await chat.kept();
  await chat.say(`<${tag} last>`);
  expectAll(requestFor(`<${tag} last>`), before);
});
