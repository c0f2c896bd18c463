/** The calls about requests. Each is a call about an interaction. */
import { type FreeObject, HoldpointError, type HoldpointService } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route } from '../../routes/route.ts';
import { gatherPage } from '../gather-page.ts';
import { refuseTwice, toAnswer } from './answer-codec.ts';
import { retried } from './chat-routes.ts';
import { answerPointers, configPointers, inList, lateCodes, type Tried, withPointers } from './fault-codec.ts';
import { requestType } from './question-codec.ts';
import { requestStatus, responderFor, toInteraction, toRequest, toUpdate } from './request-codec.ts';
import {
  Anything,
  ChatParams,
  CreateRequestSchema,
  DeclineRequestSchema,
  RequestParams,
  RequestSchema,
  RequestsQuery,
  ResolveRequestSchema,
  toList,
  UpdateRequestSchema,
} from './schemas.ts';

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
      withPointers(configPointers[body.type], async () =>
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
      withItsEnd(service, interactionId, 'updated', () =>
        retried(async () => {
          const interaction = await service.getInteraction({ interactionId });
          return withPointers(configPointers[requestType(interaction)], async () =>
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
      return withItsEnd(service, interactionId, 'resolved', () =>
        withPointers(answerPointers(interaction), async () => {
          if (requestType(interaction) === 'choice') refuseTwice(payload);
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
      return withItsEnd(service, interactionId, 'declined', async () =>
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
      withItsEnd(service, interactionId, 'cancelled', async () =>
        toRequest(await service.cancelInteraction({ interactionId, ...write })),
      ),
  }),
];

/**
 * Adds to a late call's error what it tried, and the status there: ours says that it was declined, and not whether by an
 * option, which is a resolution there.
 */
async function withItsEnd<T>(
  service: HoldpointService,
  interactionId: string,
  tried: Tried,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HoldpointError) || !lateCodes.includes(error.code)) throw error;
    const shown = requestStatus(await service.getInteraction({ interactionId }));
    throw new HoldpointError({ ...error.fault, current: { ...error.fault.current, shown, tried } }, { cause: error });
  }
}

/** Clients of Opengram do not page here, so the list is long. A longer one has a cursor. */
const listed = 1_000;

const filters = { pending: { status: 'pending' }, resolved: { status: 'answered' }, cancelled: {}, all: {} } as const;

async function listRequests(
  service: HoldpointService,
  threadId: string,
  status: keyof typeof filters,
  cursor: string | undefined,
): Promise<object> {
  const { data, next } = await inList(() =>
    gatherPage(
      (from) => service.listInteractions({ ...filters[status], threadId, ...from }),
      (interaction) => status === 'all' || requestStatus(interaction) === status,
      { limit: listed, cursor },
    ),
  );
  const requests = data.map(toRequest);
  return next === undefined ? { data: requests } : toList(requests, next);
}
