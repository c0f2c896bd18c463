import { eventTypes, type Interaction, type LogEvent } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { envelopeEventTypes, toEnvelope } from './envelope.ts';

const event = (type: LogEvent['type'], data: LogEvent['data'] = {}): LogEvent => ({
  cursor: '0000000000000007',
  threadId: 't',
  seq: 3,
  type,
  at: '2030-01-01T00:00:00.000Z',
  actor: { type: 'human', id: 'ann' },
  data,
});

const interaction = (more: Partial<Interaction>): Interaction =>
  ({ id: 'i', threadId: 't', kind: 'choice', title: 'Deploy?', fields: [], ...more }) as Interaction;

const request = { chatId: 't', requestId: 'i', type: 'choice', title: 'Deploy?' };
const choose = { type: 'select', name: 'choice', options: [] };

test('[WH4] a question is a request, in the envelope of Opengram', () => {
  expect(toEnvelope(event('interaction.created'), interaction({}))).toEqual({
    id: '0000000000000007',
    type: 'request.created',
    timestamp: '2030-01-01T00:00:00.000Z',
    payload: request,
  });
});

test.each([
  [{ kind: 'choice', fields: [choose] }, { choice: 'yes' }, 'choice', { selectedOptionIds: ['yes'] }],
  [{ kind: 'choice', fields: [choose] }, { choice: ['a', 'b'] }, 'choice', { selectedOptionIds: ['a', 'b'] }],
  [{ kind: 'input', fields: [{ type: 'text', name: 'text' }] }, { text: 'hello' }, 'text_input', { text: 'hello' }],
  [{ kind: 'form' }, { a: 1 }, 'form', { values: { a: 1 } }],
  [
    { kind: 'approval' },
    { decision: 'allow', path: '/tmp' },
    'choice',
    { selectedOptionIds: ['allow'], values: { decision: 'allow', path: '/tmp' } },
  ],
])('[WH4] an answer to %o is a resolution', (asked, values, type, resolutionPayload) => {
  const trace = { span: '1' };
  const answered = event('interaction.answered', { answer: { values } });
  expect(toEnvelope(answered, interaction({ ...(asked as Partial<Interaction>), trace }))).toMatchObject({
    type: 'request.resolved',
    payload: { ...request, type, status: 'resolved', resolutionPayload, trace },
  });
});

test.each(['interaction.declined', 'interaction.cancelled', 'interaction.expired'] as const)(
  '[WH4] %s is a request that was cancelled',
  (type) => {
    expect(toEnvelope(event(type), interaction({}))).toMatchObject({
      type: 'request.cancelled',
      payload: { ...request, status: 'cancelled', resolutionPayload: null, trace: null },
    });
  },
);

test('[WH4] threads are chats, and messages messages', () => {
  expect(toEnvelope(event('thread.created', { thread: { id: 't', title: 'Ops' } }))).toMatchObject({
    type: 'chat.created',
    payload: { chatId: 't', title: 'Ops' },
  });
  const blocks = [
    { type: 'message', payload: { text: 'one' } },
    { type: 'image', payload: { url: 'x' } },
    { type: 'message', payload: { text: 'two' } },
  ];
  const message = { id: 'm', threadId: 't', role: 'user', blocks, by: { type: 'human', id: 'ann' }, at: '' };
  expect(toEnvelope(event('message.created', { message }))).toMatchObject({
    type: 'message.created',
    payload: { chatId: 't', messageId: 'm', role: 'user', senderId: 'ann', content: 'one\n\ntwo' },
  });
});

test('[WH4] what has no counterpart there is not told', () => {
  const data = { thread: {}, message: { blocks: [], by: {} }, answer: { values: {} } };
  const told = eventTypes.filter((type) => toEnvelope(event(type, data), interaction({})) !== undefined);
  expect(told.toSorted()).toEqual(envelopeEventTypes.toSorted());
});
