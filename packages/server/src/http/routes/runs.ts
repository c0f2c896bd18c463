import {
  AdvanceRunSchema,
  AgentNameSchema,
  BeginRunSchema,
  BegunRunSchema,
  CancelRunSchema,
  JournalEntrySchema,
  limits,
  RunSchema,
  RunStatusSchema,
  TurnSchema,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route } from '../../routes/route.ts';
import { BatchParams, pageOf, pageQuery, RunParams, ThreadParams } from '../../routes/schemas.ts';

const tag = 'Runs';
const strict = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
const path = '/v1/runs/:runId';

export const runRoutes = [
  route({
    operationId: 'beginRun',
    method: 'POST',
    path: '/v1/dispatch/batches/:batchId/run',
    tag,
    summary: 'Begin the run that a batch is for, or go on with it',
    description:
      'For the worker that holds the batch, whose lease is extended. The run that is open goes on; else a message that no run was given yet begins one. Without a run in the answer there is nothing to do for these inputs: complete the batch.',
    params: BatchParams,
    body: BeginRunSchema,
    isRemembered: false,
    status: 200,
    response: BegunRunSchema,
    handle: (service, { params, body }) => service.beginRun({ ...params, ...body }),
  }),
  route({
    operationId: 'advanceRun',
    method: 'POST',
    path: `${path}/advance`,
    tag,
    summary: 'Save how far a run has come',
    description:
      'Appends to its journal, and lets it go on, wait, or end. Refused where somebody else has advanced it, so that of two workers one goes on.',
    params: RunParams,
    body: AdvanceRunSchema,
    isRemembered: false,
    status: 200,
    response: RunSchema,
    handle: (service, { params, body }) => service.advanceRun({ ...params, ...body }),
  }),
  route({
    operationId: 'listRuns',
    method: 'GET',
    path: '/v1/runs',
    tag,
    summary: 'List runs',
    query: Type.Object(
      {
        threadId: Type.Optional(Id),
        status: Type.Optional(RunStatusSchema),
        agent: Type.Optional(AgentNameSchema),
        order: Type.Optional(Type.Enum(['oldest', 'newest'], { default: 'oldest' })),
        ...pageQuery,
      },
      strict,
    ),
    status: 200,
    response: pageOf(RunSchema),
    handle: (service, { query }) => service.listRuns(query),
  }),
  route({
    operationId: 'getRun',
    method: 'GET',
    path,
    tag,
    summary: 'Get a run',
    params: RunParams,
    status: 200,
    response: RunSchema,
    handle: (service, { params }) => service.getRun(params),
  }),
  route({
    operationId: 'readJournal',
    method: 'GET',
    path: `${path}/journal`,
    tag,
    summary: 'Read the journal of a run',
    params: RunParams,
    query: Type.Object(
      {
        after: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.journalEntries, default: 0 })),
        limit: pageQuery.limit,
      },
      strict,
    ),
    status: 200,
    response: pageOf(JournalEntrySchema, { goesOnBy: 'after' }),
    handle: (service, { params, query }) => service.readJournal({ ...params, ...query }),
  }),
  route({
    operationId: 'cancelRun',
    method: 'POST',
    path: `${path}/cancel`,
    tag,
    summary: 'Cancel a run',
    description: 'Its questions that are pending are withdrawn first. A run that is cancelled already stays as it is.',
    params: RunParams,
    body: CancelRunSchema,
    status: 200,
    response: RunSchema,
    handle: (service, { params, body, write }) => service.cancelRun({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'restartRun',
    method: 'POST',
    path: `${path}/restart`,
    tag,
    summary: 'Do a run again from the start',
    description:
      'For the last run of a thread, when it is over. Another run begins over the same inputs, with an empty journal; a worker of its agent is handed it.',
    params: RunParams,
    status: 201,
    response: RunSchema,
    handle: (service, { params, write }) => service.restartRun({ ...params, ...write }),
  }),
  route({
    operationId: 'waitForTurn',
    method: 'GET',
    path: '/v1/threads/:threadId/turn',
    tag,
    summary: 'Wait until the agent has done its turn',
    description:
      'Returns when all that was said and answered has been worked on and the run of the thread rests: it waits for somebody, or is over. Otherwise with isSettled false when the time is up: then wait again.',
    params: ThreadParams,
    query: Type.Object(
      { timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.waitMs, default: 30_000 })) },
      strict,
    ),
    status: 200,
    response: TurnSchema,
    handle: (service, { params, query, signal }) => service.waitForTurn({ ...params, ...query, signal: signal() }),
  }),
];
