import { CreateThreadSchema, EventSchema, ThreadSchema, UpdateThreadSchema } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route } from '../../routes/route.ts';
import { PageQuery, pageOf, pageQuery, ThreadParams } from '../../routes/schemas.ts';

const tag = 'Threads';

export const threadRoutes = [
  route({
    operationId: 'createThread',
    method: 'POST',
    path: '/v1/threads',
    tag,
    summary: 'Create a thread',
    description: 'With an id of your own, or without one to be given one.',
    body: CreateThreadSchema,
    status: 201,
    response: ThreadSchema,
    handle: (service, { body, write }) => service.createThread({ ...body, ...write }),
  }),
  route({
    operationId: 'listThreads',
    method: 'GET',
    path: '/v1/threads',
    tag,
    summary: 'List threads, the newest first',
    query: PageQuery,
    status: 200,
    response: pageOf(ThreadSchema),
    handle: (service, { query }) => service.listThreads(query),
  }),
  route({
    operationId: 'getThread',
    method: 'GET',
    path: '/v1/threads/:threadId',
    tag,
    summary: 'Get a thread',
    params: ThreadParams,
    status: 200,
    response: ThreadSchema,
    handle: (service, { params }) => service.getThread(params),
  }),
  route({
    operationId: 'updateThread',
    method: 'PATCH',
    path: '/v1/threads/:threadId',
    tag,
    summary: 'Change a thread',
    description:
      'Its title, its agent, its metadata, and whether it is archived. What is archived goes on as before. The agent stays while a run is open.',
    params: ThreadParams,
    body: UpdateThreadSchema,
    status: 200,
    response: ThreadSchema,
    handle: (service, { params, body }) => service.updateThread({ ...params, ...body }),
  }),
  route({
    operationId: 'readLog',
    method: 'GET',
    path: '/v1/threads/:threadId/log',
    tag,
    summary: "Read a thread's log",
    description: 'Every event of the thread in order, without a gap, after a sequence number.',
    params: ThreadParams,
    query: Type.Object(
      { after: Type.Optional(Type.Integer({ minimum: 0, default: 0 })), limit: pageQuery.limit },
      { additionalProperties: false },
    ),
    status: 200,
    response: pageOf(EventSchema, { goesOnBy: 'after' }),
    handle: (service, { params, query }) => service.readLog({ ...params, ...query }),
  }),
];
