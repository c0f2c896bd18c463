import type { EphemeralEvent, Interaction, LogEvent, Message } from '@holdpoint/protocol';
import { asSchema, readUIMessageStream, type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import { expect, test } from 'vitest';
import type { ShownTurn } from './schemas.ts';
import { TurnParts } from './stream.ts';

const message = (id: string, text: string, more: Partial<Message> = {}): Message => ({
  ...{ id, threadId: 't', role: 'agent', by: { type: 'agent', id: 'k', via: 'key' }, at: '2030-01-01T00:00:00Z' },
  blocks: text === '' ? [] : [{ type: 'message', payload: { text, format: 'plain' } }],
  ...more,
});
const event = (type: LogEvent['type'], of: Message) => ({ type, data: { message: of } }) as unknown as LogEvent;
const begun = (id: string) => event('message.created', message(id, '', { state: 'streaming' }));
const piece = (messageId: string, text: string) =>
  ({ type: 'message.delta', data: { messageId, text } }) as unknown as EphemeralEvent;
const calling = message('c', '', {
  blocks: [{ type: 'tool_call', payload: { toolName: 'look', toolCallId: 'tc_1', args: { at: 'sky' } } }],
});
const resulting = (toolCallId: string) =>
  message(`r ${toolCallId}`, '', {
    blocks: [{ type: 'tool_result', payload: { toolCallId, toolName: 'look', result: 'stars' } }],
  });
const turn = (status: ShownTurn['status'], error: ShownTurn['error'] = null): ShownTurn => ({
  ...{ status, assistantText: '', toolCalls: [], interaction: null, error },
});
const asked = {
  ...{ id: 'i1', title: 'Which?', kind: 'choice', run: { id: 'r', toolCallId: 'tc_9' }, origin: { type: 'agent' } },
  fields: [{ type: 'select', name: 'choice', options: [{ value: 'a', label: 'A' }] }],
} as unknown as Interaction;

/** The messages that the AI SDK reads from the stream. It must know every part. */
async function readMessage(chunks: readonly object[]) {
  for (const chunk of chunks) {
    const checked = await asSchema(uiMessageChunkSchema).validate?.(chunk);
    expect(checked, JSON.stringify(chunk)).toMatchObject({ success: true });
  }
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk);
      controller.close();
    },
  });
  const errors: unknown[] = [];
  let last: unknown;
  for await (const each of readUIMessageStream({ stream, onError: (error) => errors.push(error) })) last = each;
  return { message: last as { parts: object[]; metadata?: unknown }, errors };
}

test('[AS8] text comes in pieces, then the calls and the question', async () => {
  const parts = new TurnParts();
  const chunks = [
    ...parts.begin(),
    ...[begun('m'), piece('m', 'Hel'), piece('m', 'lo'), event('message.completed', message('m', 'Hello'))].flatMap(
      (one) => parts.hear(one),
    ),
    ...parts.hear(event('message.created', calling)),
    ...parts.hear(event('message.created', resulting('tc_1'))),
    ...parts.end(turn('interaction_required'), [message('m', 'Hello'), calling], asked),
  ];
  expect(chunks.map(({ type }) => type)).toEqual([
    ...['start', 'start-step', 'text-start', 'text-delta', 'text-delta', 'text-end'],
    ...['tool-input-available', 'tool-output-available', 'data-interaction', 'finish-step', 'finish'],
  ]);
  const { message: read, errors } = await readMessage(chunks);
  expect(errors).toEqual([]);
  expect(read).toMatchObject({
    metadata: { status: 'interaction_required' },
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'Hello', state: 'done' },
      { type: 'tool-look', toolCallId: 'tc_1', input: { at: 'sky' }, output: 'stars', state: 'output-available' },
      {
        type: 'data-interaction',
        id: 'i1',
        data: {
          ...{ interactionId: 'i1', toolCallId: 'tc_9', toolName: 'ask', description: 'Which?' },
          options: [{ id: 'a', name: 'A' }],
        },
      },
    ],
  });
});

test('[AS8] missed parts are sent at the end, and no part twice', async () => {
  const parts = new TurnParts();
  const said = [message('m', 'Hello'), calling, resulting('tc_1'), message('n', 'Stars.')];
  const chunks = [
    ...parts.begin(),
    ...parts.hear(piece('m', 'He')),
    ...parts.hear(begun('m')),
    ...parts.hear(piece('m', 'Hel')),
    ...parts.end(turn('complete'), said, undefined),
  ];
  const { message: read, errors } = await readMessage(chunks);
  expect(errors).toEqual([]);
  expect(read.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'Hello' },
    { type: 'tool-look', state: 'output-available' },
    { type: 'step-start' },
    { type: 'text', text: 'Stars.' },
  ]);
});

test('[AS8] what was broken off is taken back, and the result of an earlier turn is none of this one', async () => {
  const parts = new TurnParts();
  const chunks = [
    ...parts.begin(),
    ...parts.hear(event('message.created', resulting('tc_0'))),
    ...parts.hear(begun('m')),
    ...parts.hear(piece('m', 'Hel')),
    ...parts.hear(event('message.cancelled', message('m', 'Hel', { state: 'cancelled' }))),
    ...parts.hear(begun('n')),
    ...parts.hear(event('message.completed', message('n', 'Hello'))),
    ...parts.end(turn('complete'), [message('n', 'Hello')], undefined),
  ];
  const { message: read, errors } = await readMessage(chunks);
  expect(errors).toEqual([]);
  expect(read.parts.filter((part) => 'text' in part)).toMatchObject([{ type: 'text', text: 'Hello' }]);
});

test('[AS8] a person’s own words are no part, and a failure is an error', async () => {
  const parts = new TurnParts();
  const chunks = [
    ...parts.begin(),
    ...parts.hear(event('message.created', message('u', 'Hi', { role: 'user' }))),
    ...parts.end(turn('failed', { message: 'The model is away.', code: 'failed' }), [], undefined),
  ];
  expect(chunks).toEqual([
    { type: 'start' },
    { type: 'error', errorText: 'The model is away.' },
    { type: 'finish', finishReason: 'error', messageMetadata: { status: 'failed' } },
  ]);
  const { errors } = await readMessage(chunks);
  expect(String(errors[0])).toContain('The model is away.');
});

test('[AS8] a turn that goes on ends its text where it is', async () => {
  const parts = new TurnParts();
  const chunks = [
    ...parts.begin(),
    ...parts.end(turn('running'), [message('m', 'Hel', { state: 'streaming' })], undefined),
  ];
  const { message: read, errors } = await readMessage(chunks);
  expect(errors).toEqual([]);
  expect(read).toMatchObject({
    metadata: { status: 'running' },
    parts: [{ type: 'step-start' }, { type: 'text', text: 'Hel' }],
  });
});
