/** The calls of the Agent Service Spec under /spec/v1. */
import { defined, type HoldpointService, type Interaction, onFault } from '@holdpoint/protocol';
import type { Dialect } from '../../routes/dialect.ts';
import { type RouteInput, route } from '../../routes/route.ts';
import { gatherPage } from '../gather-page.ts';
import { fromRespond } from './answer-codec.ts';
import { createPointer, pointedBy, refusal, renderFault } from './fault-codec.ts';
import { fromCreate, statuses, threadOfRun, toResource } from './request-codec.ts';
import {
  CancelCommandSchema,
  type CreateCommand,
  CreateCommandSchema,
  documents,
  type ListQuery,
  ListQuerySchema,
  type RespondCommand,
  RespondCommandSchema,
} from './schemas.ts';
import { eventStream } from './stream.ts';

const base = '/spec/v1';
const path = `${base}/interactions/:interactionId`;

const envelope = (data: unknown) => ({ code: 0, message: 'ok', data });
const shown = (interaction: Interaction, { orgId }: { orgId: string }) => envelope(toResource(interaction, orgId));

const interactionRoutes = [
  route('POST', `${base}/interactions`, {
    summary: 'Create an interaction',
    body: CreateCommandSchema,
    status: 201,
    handle: async (service, input) => shown(await create(service, input), input.caller),
  }),
  route('GET', `${base}/interactions`, {
    summary: 'List interactions, the oldest first',
    query: ListQuerySchema,
    handle: async (service, input) => envelope(await list(service, input)),
  }),
  route('GET', path, {
    summary: 'Get an interaction',
    handle: async (service, { params, caller }) => shown(await service.getInteraction(params), caller),
  }),
  route('POST', `${path}/respond`, {
    summary: 'Respond to an interaction',
    body: RespondCommandSchema,
    handle: async (service, input) => shown(await respond(service, input), input.caller),
  }),
  route('POST', `${path}/cancel`, {
    summary: 'Cancel an interaction',
    body: CancelCommandSchema,
    handle: async (service, { params, body, caller, write }) =>
      shown(await service.cancelInteraction({ ...params, ...body, ...write }), caller),
  }),
];

export const agentService: Dialect = {
  name: 'agent-service',
  prefixes: [base],
  routes: interactionRoutes,
  stream: eventStream,
  documents: Object.fromEntries(
    Object.entries(documents).map(([place, document]) => [`${base}/schemas/${place}`, document]),
  ),
  renderFault,
};

async function create(
  service: HoldpointService,
  { body, caller, write }: RouteInput<unknown, unknown, CreateCommand>,
): Promise<Interaction> {
  const asked = fromCreate(body, caller.orgId);
  if (!asked.ok) throw refusal('invalid-input', asked.problems);
  const { runId, threadId } = body;
  const askIn = (id: string) =>
    pointedBy(createPointer, () => service.createInteraction({ threadId: id, ...asked.asking, ...write }));
  if (threadId !== undefined) return askIn(threadId);
  const thread = { id: threadOfRun(runId), title: `Run ${runId}` };
  return onFault(
    'thread-not-found',
    () => askIn(thread.id),
    async () => {
      await onFault(
        'thread-exists',
        () => service.createThread(thread),
        () => {},
      );
      return askIn(thread.id);
    },
  );
}

async function list(service: HoldpointService, { query, caller }: RouteInput<unknown, ListQuery, unknown>) {
  const { offset = 0, limit = 50, status, ...same } = query;
  const filter = { ...same, ...defined({ status: status ? ourStatus[status] : undefined }) };
  const [page, { count }] = await Promise.all([
    // Pages of this dialect have no cursor, so a page that ended early is filled.
    gatherPage(
      (from) => service.listInteractions({ ...filter, ...from }),
      () => true,
      { limit, offset },
    ),
    service.countInteractions(filter),
  ]);
  return { total: count, offset, limit, list: page.data.map((each) => toResource(each, caller.orgId)) };
}

const ourStatus = Object.fromEntries(Object.entries(statuses).map(([ours, theirs]) => [theirs, ours])) as {
  [S in Interaction['status'] as (typeof statuses)[S]]: S;
};

async function respond(
  service: HoldpointService,
  { params, body, caller, write }: RouteInput<{ interactionId: string }, unknown, RespondCommand>,
): Promise<Interaction> {
  const interaction = await service.getInteraction(params);
  const responding = fromRespond(interaction, body, caller);
  const around = { ...params, ...write };
  switch (responding.verb) {
    case 'submitAnswer':
      return pointedBy(responding.toTheirs, () => service.submitAnswer({ ...around, ...responding.input }));
    case 'declineInteraction':
      return service.declineInteraction({ ...around, ...responding.input });
    case 'refuse':
      // If the interaction is closed, the native verb reports that first.
      if (interaction.status !== 'pending') await service.submitAnswer(params);
      throw refusal('invalid-answer', responding.problems);
  }
}
