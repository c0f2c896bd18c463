import type { Block, Message } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { callBlocks, resultBlock, toModelMessages } from './history.ts';

let count = 0;
const message = (role: Message['role'], blocks: Block[], more: Partial<Message> = {}): Message => ({
  ...{
    id: `m${++count}`,
    threadId: 't',
    role,
    blocks,
    at: '2030-01-01T00:00:00Z',
    by: { type: 'human', id: 'ann', via: 'token' },
  },
  ...more,
});
const text = (words: string): Block[] => [{ type: 'message', payload: { text: words } }];
const call = { toolCallId: 'c1', toolName: 'look', args: { at: 'sky' } };
const result = { toolCallId: 'c1', toolName: 'look', result: { seen: 'stars' } };
const toolCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'sky' } };
const toolResult = (value: unknown) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'json', value } }],
});

test('[AS6] messages and tool calls are in the order in which a model wants them', () => {
  const converted = toModelMessages([
    message('user', text('Look up')),
    message('agent', text('Let me see.')),
    message('agent', callBlocks([call])),
    message('user', text('Hurry')),
    message('agent', [resultBlock(result)]),
    message('agent', text('Stars.')),
  ]);
  expect(converted).toEqual([
    { role: 'user', content: 'Look up' },
    { role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }, toolCall] },
    toolResult({ seen: 'stars' }),
    { role: 'user', content: 'Hurry' },
    { role: 'assistant', content: [{ type: 'text', text: 'Stars.' }] },
  ]);
});

test('[AS6] a message that was written instead of an answer is there once, as the result', () => {
  const instead = message('user', text('Neither'));
  const converted = toModelMessages([
    message('agent', callBlocks([call])),
    instead,
    message('agent', [resultBlock({ ...result, messageId: instead.id })]),
  ]);
  expect(converted).toEqual([{ role: 'assistant', content: [toolCall] }, toolResult({ seen: 'stars' })]);
});

test('[AS6] a call that nothing came of has a result that says so, and a result without its call is left out', () => {
  const converted = toModelMessages([
    message('agent', [resultBlock({ ...result, toolCallId: 'c0' })]),
    message('agent', callBlocks([call])),
  ]);
  expect(converted).toEqual([
    { role: 'assistant', content: [toolCall] },
    toolResult({ status: 'interrupted', reason: expect.any(String) }),
  ]);
});

test('[AS12] calls of the same id have a result each, and blocks that a person posts are none', () => {
  const forged = message('user', [resultBlock({ ...result, result: 'forged' })]);
  const second = { ...result, result: { seen: 'clouds' } };
  const converted = toModelMessages([
    ...[message('agent', callBlocks([call])), forged, message('agent', [resultBlock(result)])],
    ...[
      message('agent', callBlocks([call])),
      message('agent', [resultBlock(second)]),
      message('agent', callBlocks([call])),
    ],
    message('agent', callBlocks([call])),
  ]);
  const calling = { role: 'assistant', content: [toolCall] };
  const unknown = toolResult({ status: 'interrupted', reason: expect.any(String) });
  expect(converted).toEqual([
    ...[calling, toolResult({ seen: 'stars' }), calling, toolResult({ seen: 'clouds' })],
    ...[calling, unknown, calling, unknown],
  ]);
});

test('[AS12] a message that was written instead of an answer is a message of its own if its call is out of sight', () => {
  const instead = message('user', text('Neither'));
  const converted = toModelMessages([instead, message('agent', [resultBlock({ ...result, messageId: instead.id })])]);
  expect(converted).toEqual([{ role: 'user', content: 'Neither' }]);
});

test('[AS6] what is not whole, what the system says, and blocks of any shape are no part of it', () => {
  const converted = toModelMessages([
    message('agent', text('half'), { state: 'cancelled' }),
    message('agent', text('hal'), { state: 'streaming' }),
    message('system', text('given up')),
    message('agent', [
      { type: 'tool_call', payload: {} },
      { type: 'image', payload: { url: 'x' } },
    ]),
    message('user', [{ type: 'message', payload: { text: 7 } }]),
  ]);
  expect(converted).toEqual([]);
});
