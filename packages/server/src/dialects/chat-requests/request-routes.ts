/** The calls about requests. Each is a call about an interaction. */
import {
  closedCodes,
  defined,
  type FreeObject,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  limits,
  onFault,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { gatherPage } from '../gather-page.ts';
import { refuseTwice, toAnswer } from './answer-codec.ts';
import { answerPointers, configPointers, type Tried } from './fault-codec.ts';
import { Cursor, inList, lenientRoute, retried, toList, withPointers } from './lenient-routes.ts';
import { requestType } from './question-codec.ts';
import { requestStatus, responderFor, toInteraction, toRequest, toUpdate } from './request-codec.ts';
import { CreateRequestSchema, orNothing, UpdateRequestSchema } from './schemas.ts';

const ofChat = '/api/v1/chats/:chatId/requests';
const path = '/api/v1/requests/:requestId';

const RequestsQuery = Type.Object({
  status: Type.Optional(Type.Enum(['pending', 'resolved', 'cancelled', 'all'])),
  cursor: Cursor,
});

/** The other properties are the payload, which depends on the type of the request. */
const ResolveRequestSchema = Type.Object({
  resolvedBy: Type.Optional(Type.Enum(['user', 'backend'])),
});

const DeclineRequestSchema = Type.Object({
  reason: orNothing(Type.String({ minLength: 1, maxLength: limits.reasonLength })),
});

export const requestRoutes = [
  lenientRoute('POST', ofChat, {
    summary: 'Create a request',
    body: CreateRequestSchema,
    status: 201,
    handle: (service, { params, body, write }) =>
      withPointers(configPointers[body.type], async () =>
        toRequest(await service.createInteraction({ threadId: params.chatId, ...toInteraction(body), ...write })),
      ),
  }),
  lenientRoute('GET', ofChat, {
    summary: 'List the requests of a chat, the oldest first',
    query: RequestsQuery,
    handle: async (service, { params: { chatId: threadId }, query: { status = 'pending', cursor } }) => {
      await service.getThread({ threadId });
      const { data, next } = await inList(() =>
        gatherPage(
          (from) => service.listInteractions({ ...filters[status], threadId, ...from }),
          (interaction) => status === 'all' || requestStatus(interaction) === status,
          { limit: listed, cursor },
        ),
      );
      const requests = data.map(toRequest);
      return next === undefined ? { data: requests } : toList(requests, next);
    },
  }),
  lenientRoute('GET', path, {
    summary: 'Get a request',
    handle: async (service, { params }) => toRequest(await service.getInteraction({ interactionId: params.requestId })),
  }),
  lenientRoute('PATCH', path, {
    summary: 'Change a pending request',
    body: UpdateRequestSchema,
    handle: (service, { params: { requestId: interactionId }, body }) =>
      withStatus(service, interactionId, 'updated', () =>
        retried(async () => {
          const interaction = await service.getInteraction({ interactionId });
          return withPointers(configPointers[requestType(interaction)], async () =>
            service.updateInteraction({ interactionId, ...toUpdate(interaction, body) }),
          );
        }),
      ),
  }),
  lenientRoute('POST', `${path}/resolve`, {
    summary: 'Resolve a request',
    body: ResolveRequestSchema,
    handle: async (service, { params: { requestId: interactionId }, body, caller, write }) => {
      const { resolvedBy = 'user', ...payload } = body;
      const interaction = await service.getInteraction({ interactionId });
      return withStatus(service, interactionId, 'resolved', () =>
        withPointers(answerPointers(interaction), async () => {
          if (requestType(interaction) === 'choice') refuseTwice(payload);
          const answer = toAnswer(interaction, payload as FreeObject);
          const responder = responderFor(caller, resolvedBy);
          return service.submitAnswer({ interactionId, ...answer, ...responder, ...write });
        }),
      );
    },
  }),
  lenientRoute('POST', `${path}/decline`, {
    summary: 'Decline to resolve a request',
    body: DeclineRequestSchema,
    handle: (service, { params: { requestId: interactionId }, body: { reason }, caller, write }) => {
      const decline = { ...defined({ reason: reason ?? undefined }), ...responderFor(caller, 'user'), ...write };
      return withStatus(service, interactionId, 'declined', () =>
        service.declineInteraction({ interactionId, ...decline }),
      );
    },
  }),
  lenientRoute('POST', `${path}/cancel`, {
    summary: 'Cancel a request',
    handle: (service, { params: { requestId: interactionId }, write }) =>
      withStatus(service, interactionId, 'cancelled', () => service.cancelInteraction({ interactionId, ...write })),
  }),
];

/**
 * Shows the changed request. Adds the attempted change and the status in Opengram to the error of a late call: our status
 * does not show whether an option declined it, which is a resolution there.
 */
async function withStatus(
  service: HoldpointService,
  interactionId: string,
  tried: Tried,
  change: () => Promise<Interaction>,
) {
  const changed = await onFault(closedCodes, change, async (error) => {
    const shown = requestStatus(await service.getInteraction({ interactionId }));
    throw new HoldpointError({ ...error.fault, current: { ...error.fault.current, shown, tried } }, { cause: error });
  });
  return toRequest(changed);
}

/** Clients of Opengram do not page here, so the list is long. A longer one has a cursor. */
const listed = 1_000;

const filters = { pending: { status: 'pending' }, resolved: { status: 'answered' }, cancelled: {}, all: {} } as const;
