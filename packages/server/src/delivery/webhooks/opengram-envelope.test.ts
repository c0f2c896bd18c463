import {
  defined,
  type EphemeralEvent,
  eventTypes,
  type FreeObject,
  type Interaction,
  type LogEvent,
  type Message,
} from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { toShownMessage } from '../../dialects/chat-requests/message-codec.ts';
import { envelopeEventTypes, toEnvelope, toEphemeralEnvelope } from './opengram-envelope.ts';

const event = (type: LogEvent['type'], data: FreeObject = {}): LogEvent =>
  ({
    cursor: '0000000000000007',
    threadId: 't',
    seq: 3,
    type,
    at: '2030-01-01T00:00:00.000Z',
    actor: { type: 'human', id: 'ann', via: 'token' },
    data,
  }) as unknown as LogEvent;

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
    payload: { ...request, type, status: 'resolved', resolutionPayload, resolution_payload: resolutionPayload, trace },
  });
});

test.each(['interaction.declined', 'interaction.cancelled', 'interaction.expired'] as const)(
  '[WH4] %s is a request that was cancelled',
  (type) => {
    const answer = { decision: 'declined', values: {} };
    expect(toEnvelope(event(type, { answer }), interaction({}))).toMatchObject({
      type: 'request.cancelled',
      payload: { ...request, status: 'cancelled', resolutionPayload: null, trace: null },
    });
  },
);

test('[WH4] a rejection by an option is resolved with that option', () => {
  const answer = { decision: 'declined', values: { decision: 'deny' } };
  const payload = { selectedOptionIds: ['deny'], values: { decision: 'deny' } };
  expect(toEnvelope(event('interaction.declined', { answer }), interaction({ kind: 'approval' }))).toMatchObject({
    type: 'request.resolved',
    payload: { ...request, status: 'resolved', resolutionPayload: payload, resolution_payload: payload },
  });
});

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
  const at = '2030-01-01T00:00:00.000Z';
  const message = { id: 'm', threadId: 't', role: 'user', blocks, by: { type: 'human', id: 'ann', via: 'token' }, at };
  expect(toEnvelope(event('message.created', { message }))).toEqual({
    ...{ id: '0000000000000007', timestamp: at },
    type: 'message.created',
    payload: {
      ...{ chatId: 't', messageId: 'm', role: 'user', senderId: 'user:primary', createdAt: at, trace: null },
      ...{ content: 'one\n\ntwo', contentFinal: 'one\n\ntwo', streamState: 'complete' },
    },
  });
  const metadata = { chat: { senderId: 'user:primary', trace: { span: '1' } } };
  expect(toEnvelope(event('message.created', { message: { ...message, metadata } }))).toMatchObject({
    payload: { senderId: 'user:primary', trace: { span: '1' } },
  });
});

test.each([
  [
    'a person is the user, whatever they say',
    'user',
    { type: 'human', id: 'ann', via: 'token' },
    'ceo',
    'user:primary',
  ],
  ['a key speaks for others', 'user', { type: 'agent', id: 'admin', via: 'key' }, 'user:two', 'user:two'],
  ['a user who is not named', 'user', { type: 'agent', id: 'admin', via: 'key' }, undefined, 'user:primary'],
  ['an agent who is not named', 'agent', { type: 'agent', id: 'bot', via: 'key' }, undefined, 'bot'],
  ['a name that is none', 'agent', { type: 'agent', id: 'bot', via: 'key' }, 5, 'bot'],
] as const)('[WH4] who sent a message is the same everywhere: %s', (_what, role, by, chosen, senderId) => {
  const at = '2030-01-01T00:00:00.000Z';
  const metadata = { chat: { senderId: chosen } };
  const message: Message = { id: 'm', threadId: 't', role, blocks: [], by, at, metadata };
  expect(toEnvelope(event('message.created', { message }))?.payload.senderId).toBe(senderId);
  expect(toShownMessage(message, { modelId: null }).sender_id).toBe(senderId);
});

test('[WH4] a streamed message has no text when it begins, and its whole text at its end', () => {
  const begun = {
    id: 'm',
    threadId: 't',
    role: 'agent',
    blocks: [],
    by: { type: 'agent', id: 'a', via: 'key' },
    at: '',
  };
  expect(toEnvelope(event('message.created', { message: { ...begun, state: 'streaming' } }))).toMatchObject({
    type: 'message.created',
    payload: { messageId: 'm', streamState: 'streaming', contentFinal: null },
  });
  const blocks = [{ type: 'message', payload: { text: 'Hello' } }];
  for (const [type, state, streamState] of [
    ['message.completed', undefined, 'complete'],
    ['message.cancelled', 'cancelled', 'cancelled'],
  ] as const) {
    const envelope = toEnvelope(event(type, { message: { ...begun, blocks, ...defined({ state }) } }));
    expect(envelope).toMatchObject({ id: '0000000000000007', type: 'message.streaming.complete' });
    expect(envelope?.payload).toEqual({ chatId: 't', messageId: 'm', role: 'agent', streamState, finalText: 'Hello' });
  }
});

test.each([
  ['chat.archived', { archivedAt: '2030' }, { archivedAt: null, title: 'x' }],
  ['chat.unarchived', {}, { archivedAt: '2030' }],
  ['chat.read', { metadata: { chat: { lastReadAt: '2030' } } }, { metadata: null }],
  ['chat.read', { metadata: { a: 1, chat: { b: 1, lastReadAt: '2030' } } }, { metadata: { chat: { b: 1 }, a: 1 } }],
  ['chat.read', { metadata: { chat: { lastReadAt: '2031' } } }, { metadata: { chat: { lastReadAt: '2030' } } }],
  ['chat.unread', { metadata: { chat: { lastReadAt: null } } }, { metadata: { chat: { lastReadAt: '2030' } } }],
  ['chat.unread', { metadata: { chat: {} } }, { metadata: { chat: { lastReadAt: '2030' } } }],
  ['chat.unread', { metadata: { chat: { lastReadAt: null } } }, { metadata: { chat: {} } }],
  ['chat.updated', { title: 'New' }, { title: 'Old' }],
  ['chat.updated', { title: 'New', metadata: { chat: { lastReadAt: '2030' } } }, { title: null, metadata: null }],
  ['chat.updated', { metadata: { a: 2, chat: { lastReadAt: '2030' } } }, { metadata: { a: 1 } }],
  ['chat.updated', { metadata: { chat: { b: 2, lastReadAt: '2030' } } }, { metadata: { chat: { b: 1 } } }],
  ['chat.updated', { metadata: { a: 2 } }, { metadata: null }],
  ['chat.updated', { metadata: { chat: 'theirs' } }, { metadata: { chat: 'ours' } }],
])('[WH4] a changed thread becomes %s', (type, thread, was) => {
  expect(toEnvelope(event('thread.updated', { thread, was }))).toMatchObject({ type, payload: { chatId: 't' } });
});

test('[E1] an ephemeral event has an envelope too, with an id that is no cursor', () => {
  const envelopeOf = (type: EphemeralEvent['type'], actor: EphemeralEvent['actor'], data = {}) =>
    toEphemeralEnvelope({ threadId: 't', type, at: '2030', actor, data } as EphemeralEvent);
  const bot = { type: 'agent', id: 'bot', via: 'key' } as const;
  expect(envelopeOf('message.delta', bot, { messageId: 'm', text: 'Hel' })).toEqual({
    id: expect.any(String),
    type: 'message.streaming.chunk',
    timestamp: '2030',
    payload: { chatId: 't', messageId: 'm', deltaText: 'Hel' },
  });
  expect(envelopeOf('thread.typing', bot)).toMatchObject({
    type: 'chat.typing',
    payload: { chatId: 't', agentId: 'bot' },
  });
  expect(envelopeOf('thread.typing', { type: 'human', id: 'ann', via: 'token' })).toMatchObject({
    type: 'chat.user_typing',
    payload: { chatId: 't', senderId: 'user:primary' },
  });
  const ids = [envelopeOf('thread.typing', bot), envelopeOf('thread.typing', bot)].map((envelope) => envelope?.id);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).not.toMatch(/^[0-9a-f]{16}$/);
});

test('[WH4] an event without a counterpart has no envelope', () => {
  const data = { thread: {}, was: {}, message: { blocks: [], by: {} }, answer: { values: {} }, file: { mime: 'a/b' } };
  const envelopeOf = eventTypes.filter((type) => toEnvelope(event(type, data), interaction({})) !== undefined);
  expect(envelopeOf.toSorted()).toEqual(envelopeEventTypes.toSorted());
});
