import { type Agent, agent } from '@holdpoint/agents';
import { assistant, modelAt, onboardingTools } from '@holdpoint/agents/assistant';
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../agents/test/model-server.ts';
import { adminKey, startTestServer, type TestServer } from '../test-server.ts';

const styles = [
  { id: 'style_1', name: 'Cinematic' },
  { id: 'style_2', name: 'Minimalist' },
];
const presenting = {
  text: ['Which ', 'one?'],
  toolCalls: [{ id: 'tc_1', name: 'presentStyleOptions', args: { styles } }],
};

let server: TestServer;
let model: ModelServer;
let chatId: string;

async function serve(agents: readonly Agent[]): Promise<void> {
  server = await startTestServer({ internals: { agents } });
  chatId = (await server.admin.post<{ id: string }>('/v1/threads')).body.id;
}

beforeEach(async () => {
  model = await startModelServer();
  const options = { model: modelAt({ url: model.url, model: 'scripted' }), maxRetries: 0 };
  await serve([assistant({ ...options, interactionTools: onboardingTools })]);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** As a chat of the AI SDK calls it. */
function send(text: string): Promise<ReadableStream<UIMessageChunk>> {
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${server.url}/api/v1/chats/${chatId}/messages`,
    headers: { authorization: `Bearer ${adminKey}`, accept: 'text/event-stream' },
    prepareSendMessagesRequest: ({ messages }) => {
      const last = messages.at(-1)?.parts[0];
      return { body: { message: last?.type === 'text' ? last.text : '' } };
    },
  });
  const message: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text }] };
  const trigger = 'submit-message';
  return transport.sendMessages({ chatId, messages: [message], trigger, messageId: undefined, abortSignal: undefined });
}

async function read(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage | undefined> {
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message;
  return last;
}

const streamed = (body: object, signal?: AbortSignal) =>
  fetch(`${server.url}/api/v1/chats/${chatId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminKey}`,
      'content-type': 'application/json',
      accept: 'application/json;q=0.1, text/event-stream',
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

const streams = async () =>
  Number(/^holdpoint_streams (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);

test('[AS8] a chat of the AI SDK reads the flow of the page', async () => {
  model.script(presenting, { text: ['Great ', 'choice!'] });
  const asked = await read(await send('Make a video'));
  expect(asked).toMatchObject({
    role: 'assistant',
    metadata: { status: 'interaction_required' },
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'Which one?', state: 'done' },
      { type: 'tool-presentStyleOptions', toolCallId: 'tc_1', state: 'input-available', input: { styles } },
      {
        type: 'data-interaction',
        data: {
          interactionId: expect.any(String),
          ...{ toolCallId: 'tc_1', toolName: 'presentStyleOptions', options: styles },
          description: 'Presenting style options for user selection',
        },
      },
    ],
  });
  const done = await read(await send('Cinematic'));
  expect(done).toMatchObject({
    metadata: { status: 'complete' },
    parts: [{ type: 'step-start' }, { type: 'text', text: 'Great choice!' }],
  });
});

test('[AS8] the text comes while the model is still at it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  model.script({ ...presenting, until: promise });
  const types: string[] = [];
  let text = '';
  for await (const chunk of (await send('Hi')) as unknown as AsyncIterable<UIMessageChunk>) {
    types.push(chunk.type);
    if (chunk.type === 'text-delta') text += chunk.delta;
    if (text === 'Which one?') resolve();
  }
  expect(types.filter((type) => type !== 'text-delta')).toEqual([
    ...[
      'start',
      'start-step',
      'text-start',
      'text-end',
      'tool-input-available',
      'data-interaction',
      'finish-step',
      'finish',
    ],
  ]);
  expect(text).toBe('Which one?');
});

test('[AS8] it says what it is, and that it is over', async () => {
  model.script({ text: ['Hello.'] });
  const response = await streamed({ message: 'Hi' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  const frames = (await response.text()).split('\n\n');
  expect(frames.slice(-2)).toEqual(['data: [DONE]', '']);
  await expect.poll(streams).toBe(0);
});

test('[AS8] what is refused is refused as it is without a stream', async () => {
  const wrong = await streamed({ message: 7 });
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: 'validation_error' } }]);
  const late = await streamed({ selectedOptionId: 'style_1' });
  expect([late.status, await late.json()]).toMatchObject([409, { error: { code: 'conflict' } }]);
  chatId = 'nowhere';
  const nowhere = await streamed({ message: 'Hi' });
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  await expect.poll(streams).toBe(0);
});

test('[AS8] a turn that fails is an error of the stream', async () => {
  model.script({ status: 400 });
  await expect(read(await send('Hi'))).rejects.toThrow('The model answered with status 400');
});

test('[AS8] who goes away is not listened for, and the turn ends without them', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  model.script({ text: ['Hello.'], until: promise });
  const leaving = new AbortController();
  const response = await streamed({ message: 'Hi' }, leaving.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  expect(await streams()).toBe(1);
  leaving.abort();
  await expect.poll(streams).toBe(0);
  resolve();
  const { body } = await server.admin.get(`/api/v1/chats/${chatId}/turn`);
  expect(body).toMatchObject({ status: 'complete', assistantText: 'Hello.' });
});

test('[AS8] a server that stops ends the stream', async () => {
  model.script({ text: ['Hello.'], until: new Promise(() => {}) });
  const response = await streamed({ message: 'Hi' });
  const text = response.text();
  await expect.poll(() => model.requests.length).toBe(1);
  await server.stop();
  expect(await text).toContain('"status":"running"');
});

test('[AS8] what an agent says at once is streamed too', async () => {
  await server[Symbol.asyncDispose]();
  await serve([
    agent('assistant', async (ctx) => {
      await ctx.message();
      await ctx.say('One.');
      await ctx.say({ markdown: '**Two.**' });
    }),
  ]);
  const { parts } = (await read(await send('Hi'))) ?? { parts: [] };
  expect(parts.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'One.' }, { text: '**Two.**' }]);
});
