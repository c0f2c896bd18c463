import type { Interaction, LogEvent, Message, Run, RunStatus, RunWait, Turn } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { messagesIn, toShownInteraction, toShownTurn } from './request-codec.ts';

const asked = {
  ...{ id: 'i1', kind: 'form', title: 'Which?', origin: { type: 'agent' }, status: 'pending' },
  fields: [
    { type: 'text', name: 'why' },
    { type: 'radio', name: 'pick', options: [{ value: 'a', label: 'A' }] },
  ],
} as unknown as Interaction;
const run = (status: RunStatus, more: Partial<Run> = {}) => ({ status, ...more }) as Run;
const waiting = (...waitingFor: RunWait[]) => run('waiting', { waitingFor });
const settled = (of?: Run): Turn => ({ isSettled: true, ...(of ? { run: of } : {}) });

test.each([
  [settled(), undefined, 'complete', null],
  [settled(run('completed')), undefined, 'complete', null],
  [{ isSettled: false, run: run('completed') }, undefined, 'running', null],
  [settled(run('running')), undefined, 'running', null],
  [settled(waiting({ type: 'interaction', interactionId: 'i1' })), asked, 'interaction_required', null],
  [settled(waiting({ type: 'message' })), undefined, 'complete', null],
  [settled(waiting({ type: 'time', until: '2030-01-01T00:00:00Z' })), undefined, 'running', null],
  [
    settled(run('failed', { error: { code: 'journal-mismatch', message: 'Other code.' } })),
    undefined,
    'failed',
    { message: 'Other code.', code: 'journal_mismatch' },
  ],
  [settled(run('failed')), undefined, 'failed', { message: 'The turn has failed.', code: 'failed' }],
  [
    settled(run('cancelled', { cancelReason: 'Enough' })),
    undefined,
    'failed',
    { message: 'Enough', code: 'cancelled' },
  ],
  [settled(run('cancelled')), undefined, 'failed', { message: 'The turn was cancelled.', code: 'cancelled' }],
] as const)('[AS3] %j is %s', (turn, question, status, error) => {
  const shown = toShownTurn({ turn, said: [], asked: question });
  expect(shown).toMatchObject({ status, error, assistantText: '', toolCalls: [] });
  expect(shown.interaction === null).toBe(status !== 'interaction_required');
});

test('[AS3] a question that was asked in other words is derived', () => {
  const options = [{ id: 'a', name: 'A' }];
  expect(toShownInteraction(asked)).toEqual({ toolCallId: 'i1', toolName: 'ask', description: 'Which?', options });
  const byTool = {
    ...asked,
    run: { id: 'r', toolCallId: 'tc' },
    origin: { type: 'tool', reference: 'pick' },
  } as Interaction;
  expect(toShownInteraction(byTool)).toMatchObject({ toolCallId: 'tc', toolName: 'pick' });
  const sent = { toolName: 'pick', toolCallId: 'tc_1', description: 'Picking', options: ['A'] };
  const spelled = (dialect: 'assistant' | 'chat-requests') =>
    toShownInteraction({ ...asked, original: { dialect, sent } });
  expect(spelled('assistant')).toEqual(sent);
  expect(spelled('chat-requests')).toMatchObject({ toolName: 'ask' });
});

test('[X20] an approval is shown by its own words, whatever call the agent says it was', () => {
  const options = [
    { value: 'allow', label: 'Allow', kind: 'allow_once' },
    { value: 'deny', label: 'Deny', kind: 'reject_once' },
  ];
  const deletion = {
    ...{ id: 'i1', kind: 'approval', title: 'Delete all?', origin: { type: 'tool', reference: 'delete' } },
    fields: [{ type: 'select', name: 'decision', options }],
    original: {
      dialect: 'assistant',
      sent: { toolName: 'list', description: 'List the files', options: [{ id: 'allow', name: 'No' }] },
    },
  } as unknown as Interaction;
  expect(toShownInteraction(deletion)).toEqual({
    ...{ toolCallId: 'i1', toolName: 'delete', description: 'Delete all?' },
    options: [
      { id: 'allow', name: 'Allow' },
      { id: 'deny', name: 'Deny' },
    ],
  });
});

const event = (type: LogEvent['type'], message: Partial<Message> = {}) =>
  ({ type, data: { message } }) as unknown as LogEvent;
const from = (role: Message['role'], id: string, more: Partial<Message> = {}) => ({ id, role, blocks: [], ...more });

test('[AS3] what was said is what the agent said since the last word of the person, each message once', () => {
  const ids = (...events: LogEvent[]) => messagesIn(events).map(({ id }) => id);
  expect(ids(event('message.created', from('agent', 'a')), event('message.created', from('user', 'u')))).toEqual([]);
  expect(ids(event('interaction.answered'), event('message.created', from('agent', 'a')))).toEqual(['a']);
  expect(ids(event('message.created', from('agent', 'a')), event('interaction.declined'))).toEqual([]);
  expect(ids(event('interaction.cancelled'), event('message.created', from('system', 's')))).toEqual([]);
  const whole = from('agent', 'a', { blocks: [{ type: 'message', payload: { text: 'Hi' } }] });
  const streamed = [
    event('message.created', from('agent', 'a', { state: 'streaming' })),
    event('message.completed', whole),
  ];
  expect(messagesIn(streamed)).toEqual([whole]);
  const broken = from('agent', 'a', { state: 'cancelled' });
  expect(ids(event('message.created', from('agent', 'a')), event('message.cancelled', broken))).toEqual([]);
});
