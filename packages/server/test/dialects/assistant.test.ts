import { type Agent, agent } from '@holdpoint/agents';
import { type AssistantOptions, assistant, modelAt, onboardingTools } from '@holdpoint/agents/assistant';
import { choice, type Interaction } from '@holdpoint/protocol';
import { jsonSchema, tool } from 'ai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../agents/test/model-server.ts';
import type { Client, Reply } from '../client.ts';
import { readLog } from '../read-everything.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const styles = [
  { id: 'style_1', name: 'Cinematic' },
  { id: 'style_2', name: 'Minimalist' },
  { id: 'style_3', name: 'Bold & Vibrant' },
];
const presenting = {
  text: ['I found several styles that match. ', 'Which one would you like?'],
  toolCalls: [{ id: 'tc_abc123', name: 'presentStyleOptions', args: { styles } }],
};
const greatChoice = { text: ["Great choice! I'll apply the Cinematic style to your video."] };

let server: TestServer;
let model: ModelServer;
let chatId: string;

/** A server that runs the agent itself. */
async function serve(agents: readonly Agent[]): Promise<void> {
  server = await startTestServer({ internals: { agents } });
  chatId = (await server.admin.post<{ id: string }>('/v1/threads')).body.id;
}

const serveAssistant = (options: Partial<AssistantOptions> = {}) =>
  serve([
    assistant({
      model: modelAt({ url: model.url, model: 'scripted', key: 'model-key' }),
      interactionTools: onboardingTools,
      maxRetries: 0,
      ...options,
    }),
  ]);

const say = (body: unknown, { query = '', client = server.admin }: { query?: string; client?: Client } = {}) =>
  client.post(`/api/v1/chats/${chatId}/messages${query}`, typeof body === 'string' ? { message: body } : body);

beforeEach(async () => {
  model = await startModelServer();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const asksForStyle = {
  status: 'interaction_required',
  assistantText: 'I found several styles that match. Which one would you like?',
  toolCalls: [{ toolName: 'presentStyleOptions', toolCallId: 'tc_abc123', args: { styles } }],
  interaction: {
    toolCallId: 'tc_abc123',
    toolName: 'presentStyleOptions',
    description: 'Presenting style options for user selection',
    options: styles,
  },
  error: null,
};
const isDone = {
  status: 'complete',
  assistantText: "Great choice! I'll apply the Cinematic style to your video.",
  toolCalls: [],
  interaction: null,
  error: null,
};

describe('the flow of the page', () => {
  beforeEach(() => serveAssistant());

  test('[AS1] [AS3] [AS4] a turn ends in a question, and the next message answers it', async () => {
    model.script(presenting, greatChoice);
    const first = await say('Make a video of my shop');
    expect(first.status).toBe(200);
    expect(JSON.stringify(first.body)).toBe(JSON.stringify(asksForStyle));
    const second = await say("Let's go with Cinematic");
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(isDone));

    const { data } = (await server.admin.get<{ data: unknown[] }>(`/v1/interactions?threadId=${chatId}`)).body;
    expect(data).toMatchObject([
      {
        status: 'answered',
        kind: 'choice',
        run: { toolCallId: 'tc_abc123' },
        answer: { values: { choice: 'style_1' }, metadata: { text: "Let's go with Cinematic" }, by: { type: 'human' } },
      },
    ]);
    expect(model.requests).toHaveLength(2);
    const { authorization, messages, tools } = model.requests[1] ?? { messages: [] };
    expect(authorization).toBe('Bearer model-key');
    expect(tools?.map((each) => each.function.name)).toEqual(Object.keys(onboardingTools));
    expect(messages).toMatchObject([
      { role: 'user', content: 'Make a video of my shop' },
      { role: 'assistant', content: asksForStyle.assistantText, tool_calls: [{ id: 'tc_abc123' }] },
      { role: 'tool', tool_call_id: 'tc_abc123' },
    ]);
    expect(JSON.parse(String(messages[2]?.content))).toEqual({
      status: 'answered',
      selected: { id: 'style_1', name: 'Cinematic' },
      originalText: "Let's go with Cinematic",
    });
  });
});

describe('a follow-up', () => {
  beforeEach(() => serveAssistant());

  test('[AS10] with the id of an option picks it', async () => {
    model.script(presenting, greatChoice);
    await say('Hi');
    expect((await say({ selectedOptionId: 'style_9' })).body).toEqual({
      error: {
        message: 'selectedOptionId: "style_9" is not an option of the pending question.',
        code: 'validation_error',
      },
    });
    expect((await say({ selectedOptionId: 'style_2', message: 'the plain one' })).body).toMatchObject({
      status: 'complete',
    });
    expect(await answers()).toMatchObject([{ values: { choice: 'style_2' }, metadata: { text: 'the plain one' } }]);
  });

  test('[AS10] with values answers a form, and values that do not fit change nothing', async () => {
    model.script({ toolCalls: [{ id: 'tc_1', name: 'askBrandDetails', args: {} }] }, { text: ['Noted.'] });
    expect((await say('Hi')).body).toEqual({
      status: 'interaction_required',
      assistantText: '',
      toolCalls: [{ toolName: 'askBrandDetails', toolCallId: 'tc_1', args: {} }],
      interaction: {
        ...{ toolCallId: 'tc_1', toolName: 'askBrandDetails', description: 'Asking the user for brand information' },
        options: [],
      },
      error: null,
    });
    const refused = await say({ values: { colors: 7 } });
    expect([refused.status, refused.body]).toMatchObject([400, { error: { code: 'validation_error' } }]);
    expect(errorOf(refused).message).toMatch(/^values\.colors: /);
    expect((await say({ values: { colors: 'blue' } })).body).toMatchObject({
      status: 'complete',
      assistantText: 'Noted.',
    });
    expect(lastToolResult()).toEqual({ status: 'answered', values: { colors: 'blue' } });
  });

  test('[AS10] that answers exactly where nothing waits is a conflict', async () => {
    model.script({ text: ['Hello.'] });
    expect((await say({ values: {} })).status).toBe(409);
    await say('Hi');
    const late = await say({ selectedOptionId: 'style_1' });
    expect(late.body).toEqual({
      error: { message: 'This chat has no pending question.', code: 'conflict' },
    });
  });

  test('[AS5] that answers nothing withdraws the question, and reaches the model', async () => {
    model.script(presenting, { text: ['They cost the same.'] }, { text: ['Then Cinematic.'] });
    await say('Hi');
    expect((await say('What do they cost?')).body).toEqual({ ...isDone, assistantText: 'They cost the same.' });
    expect(lastToolResult()).toMatchObject({ status: 'not_answered', message: 'What do they cost?' });
    expect(await interactions()).toMatchObject([{ status: 'cancelled', cancelReason: expect.any(String) }]);
    expect((await say('The first, then')).body).toMatchObject({ assistantText: 'Then Cinematic.' });
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    expect(
      model.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual([...['Hi', 'The first, then']]);
  });

  test('[AS5] the model sees that a question was declined or cancelled elsewhere', async () => {
    for (const [verb, result] of [
      ['decline', { status: 'declined', reason: 'Not me' }],
      ['cancel', { status: 'cancelled', reason: 'Not me' }],
    ] as const) {
      model.script(presenting, { text: [`It was ${verb}.`] });
      await say('Hi');
      const [open] = await interactions('&status=pending');
      await server.admin.post(`/v1/interactions/${open?.id}/${verb}`, { reason: 'Not me' });
      expect((await server.admin.get(turnPath())).body).toMatchObject({
        status: 'complete',
        assistantText: `It was ${verb}.`,
      });
      expect(lastToolResult()).toEqual(result);
    }
  });

  test('[AS7] many questions of one reply are asked one after the other', async () => {
    const confirming = { id: 'tc_2', name: 'completeOnboarding', args: { summary: 'All set' } };
    model.script({ ...presenting, toolCalls: [...presenting.toolCalls, confirming] }, { text: ['Done.'] });
    expect((await say('Hi')).body).toMatchObject({ interaction: { toolCallId: 'tc_abc123' }, toolCalls: [{}, {}] });
    expect((await say('2')).body).toMatchObject({ interaction: { toolCallId: 'tc_2' }, assistantText: '' });
    expect((await say('yes')).body).toMatchObject({ status: 'complete', assistantText: 'Done.' });
    expect(await answers()).toMatchObject([{ values: { choice: 'style_2' } }, { values: { confirmed: true } }]);
  });

  test('[AS7] who writes something else is not asked the rest', async () => {
    const confirming = { id: 'tc_2', name: 'completeOnboarding', args: { summary: 'All set' } };
    model.script({ ...presenting, toolCalls: [...presenting.toolCalls, confirming] }, { text: ['Fine.'] });
    await say('Hi');
    expect((await say('Forget all that')).body).toMatchObject({ status: 'complete', assistantText: 'Fine.' });
    expect(lastToolResult()).toMatchObject({ status: 'not_asked' });
    expect(await interactions()).toHaveLength(1);
  });

  test('[AS7] the model sees an error for arguments that make no question', async () => {
    const twice = { id: 'tc_1', name: 'presentStyleOptions', args: { styles: [styles[0], styles[0]] } };
    const odd = { id: 'tc_2', name: 'presentStyleOptions', args: { styles: 'all of them' } };
    const unknown = { id: 'tc_3', name: 'launch', args: {} };
    model.script({ toolCalls: [twice, odd, unknown] }, { text: ['Sorry.'] });
    expect((await say('Hi')).body).toMatchObject({
      status: 'complete',
      assistantText: 'Sorry.',
      toolCalls: [{}, {}, {}],
    });
    const results = model.requests[1]?.messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content));
    expect(results).toEqual([
      expect.stringContaining('options/1'),
      expect.stringContaining('styles'),
      expect.stringContaining('launch'),
    ]);
    expect(await interactions()).toEqual([]);
  });
});

describe('an approval whose argument may be edited', () => {
  const suggesting = { toolCalls: [{ id: 'tc_1', name: 'dailySuggestion', args: { suggestion: 'A reel' } }] };

  beforeEach(() => serveAssistant());

  test.each([
    ['accept', 'accepted', 'accept', { status: 'answered', values: { suggestion: 'A reel' } }],
    ['Sounds good, do it', 'accepted', 'accept', { status: 'answered', values: { suggestion: 'A reel' } }],
    ['Not today', 'declined', 'skip', { status: 'declined' }],
    ['no', 'declined', 'skip', { status: 'declined' }],
  ])('[AS13] is decided by "%s", and what was proposed stands', async (said, decision, picked, result) => {
    model.script(suggesting, { text: ['Noted.'] });
    expect((await say('Hi')).body).toMatchObject({ status: 'interaction_required' });
    expect((await say(said)).body).toMatchObject({ status: 'complete', assistantText: 'Noted.' });
    const values = { decision: picked, suggestion: 'A reel' };
    expect(await answers()).toMatchObject([{ decision, values, metadata: { text: said } }]);
    expect(lastToolResult()).toMatchObject({ ...result, originalText: said });
  });

  test('[AS13] is withdrawn by a sentence that is no plain yes or no, which the model sees', async () => {
    model.script(suggesting, { text: ['Then another.'] });
    await say('Hi');
    expect((await say('ok, but only the first half')).body).toMatchObject({ assistantText: 'Then another.' });
    expect(await interactions()).toMatchObject([{ status: 'cancelled' }]);
    expect(lastToolResult()).toMatchObject({ status: 'not_answered', message: 'ok, but only the first half' });
  });

  test('[AS14] stays open when a blank message comes', async () => {
    model.script(suggesting, { text: ['Noted.'] });
    await say('Hi');
    const before = await readLog(server.admin, chatId);
    for (const message of ['   ', '\n', '\u200b\u00a0']) {
      const refused = await say({ message });
      expect([refused.status, refused.body]).toEqual([
        400,
        { error: { message: 'message: The message is blank.', code: 'validation_error' } },
      ]);
      const streamed = await server.admin.post(
        `/api/v1/chats/${chatId}/messages`,
        { message },
        { accept: 'text/event-stream' },
      );
      expect([streamed.status, streamed.body]).toEqual([400, refused.body]);
    }
    expect(await readLog(server.admin, chatId)).toEqual(before);
    expect((await say('yes')).body).toMatchObject({ status: 'complete' });
  });
});

describe('a chat', () => {
  test('[AS2] is the assistant’s from its first turn on', async () => {
    await serveAssistant();
    model.script({ text: ['Hello.'] }, { text: ['Again.'] });
    await say('Hi');
    expect((await server.admin.get(`/v1/threads/${chatId}`)).body).toMatchObject({ agent: 'assistant' });
    expect((await say('Hi again')).body).toMatchObject({ assistantText: 'Again.', toolCalls: [] });
    expect(model.requests[1]?.messages).toMatchObject([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Hi again' },
    ]);
  });

  test('[AS1] takes a posted message as before, and says whose words a refusal is in', async () => {
    await serveAssistant();
    const posted = await say({ role: 'agent', senderId: 'a', content: 'Hello', message: 'ignored' });
    expect([posted.status, posted.body]).toMatchObject([201, { role: 'agent', content_final: 'Hello' }]);
    const codes = async (body: unknown, client = server.admin) => errorOf(await say(body, { client })).code;
    expect(await codes({ message: 7 })).toBe('validation_error');
    expect(await codes({ message: '' })).toBe('validation_error');
    expect(await codes({ role: 'user' })).toBe('VALIDATION_ERROR');
    expect(await codes({})).toBe('VALIDATION_ERROR');
    expect(await codes({ message: 'Hi' }, server.admin.as('nobody'))).toBe('UNAUTHORIZED');
    chatId = 'nowhere';
    expect((await say('Hi')).body).toEqual({ error: { message: 'There is no such chat.', code: 'not_found' } });
    expect(errorOf(await server.admin.get(turnPath())).code).toBe('not_found');
  });

  test('[AS2] [AS4] of another agent has turns as well', async () => {
    const other = agent('other', async (ctx) => {
      await ctx.message();
      const { status } = await ctx.ask(choice(['Red', 'Blue'], { title: 'Which color?' }));
      await ctx.say(`It was ${status}.`);
    });
    await serve([other]);
    await server.admin.call(`/v1/threads/${chatId}`, { method: 'PATCH', body: { agent: 'other' } });
    const first = await say('Hi');
    const [asked] = await interactions();
    expect(first.body).toEqual({
      status: 'interaction_required',
      assistantText: '',
      toolCalls: [],
      interaction: {
        toolCallId: asked?.id,
        toolName: 'ask',
        description: 'Which color?',
        options: [
          { id: 'Red', name: 'Red' },
          { id: 'Blue', name: 'Blue' },
        ],
      },
      error: null,
    });
    expect((await say('blue, please')).body).toMatchObject({ status: 'complete', assistantText: 'It was answered.' });
  });

  test('[AS4] a person with their own token has turns too', async () => {
    await serveAssistant();
    model.script(presenting, greatChoice);
    await say('Hi');
    const asks = { responderId: 'ann', threadId: chatId };
    const { token } = (await server.admin.post<{ token: string }>('/v1/responder-tokens', asks)).body;
    expect((await say('Cinematic', { client: server.admin.as(token) })).body).toMatchObject({ status: 'complete' });
    expect(await answers()).toMatchObject([{ by: { type: 'human', id: 'ann' } }]);
  });
});

describe('a turn', () => {
  test('[AS3] that outlasts its time is running, and ends all the same', async () => {
    await serveAssistant();
    const { promise, resolve } = Promise.withResolvers<void>();
    model.script({ text: ['Thinking', '.'], until: promise });
    expect((await say('Hi', { query: '?timeoutMs=0' })).body).toEqual({
      ...isDone,
      status: 'running',
      assistantText: '',
    });
    await expect
      .poll(async () => (await server.admin.get(turnPath('?timeoutMs=0'))).body.assistantText)
      .toBe('Thinking.');
    resolve();
    expect((await server.admin.get(turnPath())).body).toEqual({ ...isDone, assistantText: 'Thinking.' });
  });

  test('[AS1] that is repeated with its key is taken once', async () => {
    await serveAssistant();
    model.script({ text: ['Hello.'] }, presenting);
    const path = `/api/v1/chats/${chatId}/messages`;
    const first = await server.admin.post(path, { message: 'Hi' }, { 'idempotency-key': 'turn-1' });
    const again = await server.admin.post(path, { message: 'Hi' }, { 'idempotency-key': 'turn-1' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await server.admin.post(path, { message: 'Ho' }, { 'idempotency-key': 'turn-1' });
    expect([other.status, errorOf(other).code]).toEqual([409, 'conflict']);
    expect(model.requests).toHaveLength(1);
  });

  test('[AS11] whose model fails has failed, with what it answered', async () => {
    await serveAssistant();
    model.script({ status: 400 });
    const failed = await say('Hi');
    expect([failed.status, failed.body]).toMatchObject([
      200,
      { status: 'failed', interaction: null, assistantText: '' },
    ]);
    expect(errorOf(failed)).toEqual({
      message: expect.stringMatching(/^The model answered with status 400: /),
      code: 'failed',
    });
    model.script({ text: ['Better.'] });
    expect((await say('Again')).body).toMatchObject({ status: 'complete', assistantText: 'Better.' });
  });

  test('[AS9] whose model refuses the key does not repeat what it said', async () => {
    await serveAssistant();
    model.script({ status: 422 }, { status: 401 });
    expect(errorOf(await say('Hi')).message).toBe('The model answered with status 422: scripted failure Bearer [key]');
    expect(errorOf(await say('Hi')).message).toBe('The model refused the key, with status 401.');
    const log = JSON.stringify(await readLog(server.admin, chatId));
    expect(log).toContain('The model refused the key');
    expect(log).not.toContain('model-key');
  });

  test('[AS11] whose model is cut off in the middle is said anew', async () => {
    await serveAssistant();
    model.script({ text: ['Half a'], isCutOff: true }, { text: ['A whole sentence.'] });
    expect((await say('Hi')).body).toEqual({ ...isDone, assistantText: 'A whole sentence.' });
  });

  test('[AS11] runs a tool once, and gives its result to the model', async () => {
    const ran: unknown[] = [];
    const look = tool({
      description: 'Looks',
      inputSchema: jsonSchema<{ at: string }>({ type: 'object', properties: { at: { type: 'string' } } }),
      execute: async (args) => {
        ran.push(args);
        return { seen: `the ${args.at}` };
      },
    });
    const fall = tool({
      description: 'Falls',
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: async (_args: object): Promise<string> => {
        throw Object.assign(new Error('Out of stairs'), { name: 'NoRetry' });
      },
    });
    await serveAssistant({ tools: { look, fall }, system: 'Be brief.' });
    const calls = [
      { id: 'tc_1', name: 'look', args: { at: 'sky' } },
      { id: 'tc_2', name: 'fall', args: {} },
    ];
    model.script({ toolCalls: calls }, presenting, greatChoice);
    expect((await say('Hi')).body).toMatchObject({
      status: 'interaction_required',
      toolCalls: [
        { toolName: 'look', toolCallId: 'tc_1', args: { at: 'sky' } },
        { toolName: 'fall', toolCallId: 'tc_2', args: {} },
        { toolName: 'presentStyleOptions' },
      ],
    });
    await say('Cinematic');
    expect(ran).toEqual([{ at: 'sky' }]);
    const { messages } = model.requests[2] ?? { messages: [] };
    expect(messages[0]).toMatchObject({ role: 'system', content: 'Be brief.' });
    expect(messages.slice(3, 5).map(({ content }) => JSON.parse(String(content)))).toEqual([
      { seen: 'the sky' },
      { error: 'Out of stairs' },
    ]);
  });

  test('[AS11] of a model that only calls tools comes to an end', async () => {
    await serveAssistant({ maxSteps: 2 });
    const odd = { toolCalls: [{ id: 'tc_1', name: 'launch', args: {} }] };
    model.script(odd, { toolCalls: [{ ...odd.toolCalls[0], id: 'tc_2', name: 'launch', args: {} }] });
    expect(errorOf(await say('Hi')).message).toMatch(/called tools 2 times/);
  });

  test('[AS11] goes on after a restart between the question and the answer', async () => {
    await serveAssistant();
    model.script(presenting, greatChoice);
    await say('Hi');
    await server.restart();
    expect(JSON.stringify((await say("Let's go with Cinematic")).body)).toBe(JSON.stringify(isDone));
    expect(model.requests).toHaveLength(2);
  });
});

const turnPath = (query = '') => `/api/v1/chats/${chatId}/turn${query}`;

const errorOf = ({ body }: Reply) => body.error as { message: string; code: string };

async function interactions(query = ''): Promise<Interaction[]> {
  const path = `/v1/interactions?threadId=${chatId}&order=oldest${query}`;
  return (await server.admin.get<{ data: Interaction[] }>(path)).body.data;
}

const answers = async () => (await interactions()).map(({ answer }) => answer);

/** The last tool result that the model got. */
function lastToolResult(): unknown {
  const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
  return JSON.parse(String(results?.at(-1)?.content));
}
