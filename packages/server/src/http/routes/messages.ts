import { AppendToMessageSchema, CompleteMessageSchema, MessageSchema, PostMessageSchema } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route } from '../../routes/route.ts';
import { MessageParams, pageOf, pageQuery, ThreadParams } from '../../routes/schemas.ts';

const tag = 'Messages';
const path = '/v1/messages/:messageId';

export const messageRoutes = [
  route({
    operationId: 'postMessage',
    method: 'POST',
    path: '/v1/threads/:threadId/messages',
    tag,
    summary: 'Post a message',
    params: ThreadParams,
    body: PostMessageSchema,
    status: 201,
    response: MessageSchema,
    handle: (service, { params, body, write }) => service.postMessage({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'listMessages',
    method: 'GET',
    path: '/v1/threads/:threadId/messages',
    tag,
    summary: 'List the messages of a thread',
    params: ThreadParams,
    query: Type.Object(
      { order: Type.Optional(Type.Enum(['oldest', 'newest'], { default: 'oldest' })), ...pageQuery },
      { additionalProperties: false },
    ),
    status: 200,
    response: pageOf(MessageSchema),
    handle: (service, { params, query }) => service.listMessages({ ...params, ...query }),
  }),
  route({
    operationId: 'getMessage',
    method: 'GET',
    path,
    tag,
    summary: 'Get a message',
    description: 'One that is being streamed has the text that has come so far.',
    params: MessageParams,
    status: 200,
    response: MessageSchema,
    handle: (service, { params }) => service.getMessage(params),
  }),
  route({
    operationId: 'appendToMessage',
    method: 'POST',
    path: `${path}/append`,
    tag,
    summary: 'Append to a message that is being streamed',
    description:
      'It is stored when this returns, and told to whoever follows with ephemeral=true. A message that nothing is appended to for a minute is cancelled.',
    params: MessageParams,
    body: AppendToMessageSchema,
    isRemembered: false,
    status: 200,
    response: MessageSchema,
    handle: (service, { params, body }) => service.appendToMessage({ ...params, ...body }),
  }),
  route({
    operationId: 'completeMessage',
    method: 'POST',
    path: `${path}/complete`,
    tag,
    summary: 'End a message that is being streamed',
    description: 'It is whole, with what was appended or with the text given here.',
    params: MessageParams,
    body: CompleteMessageSchema,
    status: 200,
    response: MessageSchema,
    handle: (service, { params, body, write }) => service.completeMessage({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'cancelMessage',
    method: 'POST',
    path: `${path}/cancel`,
    tag,
    summary: 'Break off a message that is being streamed',
    description: 'It keeps what was appended.',
    params: MessageParams,
    status: 200,
    response: MessageSchema,
    handle: (service, { params, write }) => service.cancelMessage({ ...params, ...write }),
  }),
];
