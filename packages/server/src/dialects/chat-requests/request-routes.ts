/** The calls about requests: each a call about an interaction. */
import { type FreeObject, HoldpointError, type HoldpointService } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route } from '../../http/route.ts';
import { gatherPage } from '../gather-page.ts';
import { toAnswer } from './answer-codec.ts';
import { toList } from './chat-schemas.ts';
import { inPlaces, placesOfAnswer, placesOfConfig } from './places.ts';
import { requestType } from './question-codec.ts';
import { requestStatus, responderFor, toInteraction, toRequest, toUpdate } from './request-codec.ts';
import {
  CreateRequestSchema,
  DeclineRequestSchema,
  RequestSchema,
  ResolveRequestSchema,
  UpdateRequestSchema,
} from './request-schemas.ts';
import { retried } from './retried.ts';
import { Anything, ChatParams, RequestParams, RequestsQuery } from './route-schemas.ts';

const tag = 'Requests';
const ofChat = '/api/v1/chats/:chatId/requests';
const path = '/api/v1/requests/:requestId';

export const requestRoutes = [
  route({
    method: 'POST',
    path: ofChat,
    tag,
    summary: 'Create a request',
    params: ChatParams,
    query: Anything,
    body: CreateRequestSchema,
    status: 201,
    response: RequestSchema,
    handle: (service, { params, body, write }) =>
      inPlaces(placesOfConfig[body.type], async () =>
        toRequest(await service.createInteraction({ threadId: params.chatId, ...toInteraction(body), ...write })),
      ),
  }),
  route({
    method: 'GET',
    path: ofChat,
    tag,
    summary: 'List the requests of a chat, the oldest first',
    params: ChatParams,
    query: RequestsQuery,
    status: 200,
    response: Type.Object({ data: Type.Array(RequestSchema) }),
    handle: async (service, { params, query: { status = 'pending', cursor } }) => {
      await service.getThread({ threadId: params.chatId });
      return listRequests(service, params.chatId, status, cursor);
    },
  }),
  route({
    method: 'GET',
    path,
    tag,
    summary: 'Get a request',
    params: RequestParams,
    query: Anything,
    status: 200,
    response: RequestSchema,
    handle: async (service, { params }) => toRequest(await service.getInteraction({ interactionId: params.requestId })),
  }),
  route({
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a pending request',
    params: RequestParams,
    query: Anything,
    body: UpdateRequestSchema,
    status: 200,
    response: RequestSchema,
    handle: (service, { params: { requestId: interactionId }, body }) =>
      tellingItsEnd(service, interactionId, () =>
        retried(async () => {
          const interaction = await service.getInteraction({ interactionId });
          return inPlaces(placesOfConfig[requestType(interaction)], async () =>
            toRequest(await service.updateInteraction({ interactionId, ...toUpdate(interaction, body) })),
          );
        }),
      ),
  }),
  route({
    method: 'POST',
    path: `${path}/resolve`,
    tag,
    summary: 'Resolve a request',
    params: RequestParams,
    query: Anything,
    body: ResolveRequestSchema,
    status: 200,
    response: RequestSchema,
    handle: async (service, { params: { requestId: interactionId }, body, caller, write }) => {
      const { resolvedBy = 'user', ...payload } = body;
      const interaction = await service.getInteraction({ interactionId });
      return tellingItsEnd(service, interactionId, () =>
        inPlaces(placesOfAnswer(interaction), async () => {
          const answer = toAnswer(interaction, payload as FreeObject);
          const responder = responderFor(caller, resolvedBy);
          return toRequest(await service.submitAnswer({ interactionId, ...answer, ...responder, ...write }));
        }),
      );
    },
  }),
  route({
    method: 'POST',
    path: `${path}/decline`,
    tag,
    summary: 'Decline to resolve a request',
    params: RequestParams,
    query: Anything,
    body: DeclineRequestSchema,
    status: 200,
    response: RequestSchema,
    handle: (service, { params: { requestId: interactionId }, body: { reason }, caller, write }) => {
      const said = reason ? { reason } : {};
      const responder = responderFor(caller, 'user');
      return tellingItsEnd(service, interactionId, async () =>
        toRequest(await service.declineInteraction({ interactionId, ...said, ...responder, ...write })),
      );
    },
  }),
  route({
    method: 'POST',
    path: `${path}/cancel`,
    tag,
    summary: 'Withdraw a request',
    params: RequestParams,
    query: Anything,
    body: Anything,
    status: 200,
    response: RequestSchema,
    handle: (service, { params: { requestId: interactionId }, write }) =>
      tellingItsEnd(service, interactionId, async () =>
        toRequest(await service.cancelInteraction({ interactionId, ...write })),
      ),
  }),
];

/** A refusal of ours says that it was declined, and not whether by an option, which is a resolution there. */
async function tellingItsEnd<T>(service: HoldpointService, interactionId: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HoldpointError) || error.code !== 'interaction-already-answered') throw error;
    const shown = requestStatus(await service.getInteraction({ interactionId }));
    throw new HoldpointError({ ...error.fault, current: { ...error.fault.current, shown } }, { cause: error });
  }
}

/** Its clients know no pages, so one list is long; what is longer still has a cursor. */
const listed = 1_000;

const filters = { pending: { status: 'pending' }, resolved: { status: 'answered' }, cancelled: {}, all: {} } as const;

async function listRequests(
  service: HoldpointService,
  threadId: string,
  status: keyof typeof filters,
  cursor: string | undefined,
): Promise<object> {
  const { data, next } = await gatherPage(
    (from) => service.listInteractions({ ...filters[status], threadId, ...from }),
    (interaction) => status === 'all' || requestStatus(interaction) === status,
    { limit: listed, cursor },
  );
  const requests = data.map(toRequest);
  return next === undefined ? { data: requests } : toList(requests, next);
}
