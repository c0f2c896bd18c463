import {
  CallbackSchema,
  CallbackSecretSchema,
  CancelSchema,
  CreateInteractionSchema,
  DeclineSchema,
  DraftSchema,
  FreeObjectSchema,
  InteractionSchema,
  KindSchema,
  limits,
  OverviewQuerySchema,
  OverviewSchema,
  outerId,
  SaveDraftSchema,
  StatusSchema,
  SubmitAnswerSchema,
  thousands,
  UpdateInteractionSchema,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { getInteractionText } from '../../operations/interactions.ts';
import { route } from '../../routes/route.ts';
import { InteractionParams, pageOf, pageQuery, ThreadParams } from '../../routes/schemas.ts';

const tag = 'Interactions';
const strict = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
const path = '/v1/interactions/:interactionId';
const filter = {
  status: Type.Optional(StatusSchema),
  threadId: Type.Optional(Id),
  kind: Type.Optional(KindSchema),
  runId: Type.Optional(Id),
  assignee: Type.Optional(
    outerId({ description: 'Only what is pending and names this person as one of those who may answer.' }),
  ),
};

/**
 * A dialect shows a question in the words of its spelling. Only the routes of that dialect write it, or an agent could show
 * "List the folder?" there for a question that deletes it. Assistants also run outside the server, so they send theirs.
 */
const spelling = Type.Optional(
  Type.Object(
    { dialect: Type.Enum(['assistant']), sent: FreeObjectSchema },
    { ...strict, description: 'The tool call of an assistant, as its dialect shows it.' },
  ),
);
const CreateBody = Type.Object({ ...CreateInteractionSchema.properties, spelling }, strict);
const UpdateBody = Type.Object(
  { ...UpdateInteractionSchema.properties, spelling },
  { ...strict, description: 'Only properties that are given change; null removes one.' },
);

export const interactionRoutes = [
  route({
    operationId: 'createInteraction',
    method: 'POST',
    path: '/v1/threads/:threadId/interactions',
    tag,
    summary: 'Ask',
    description:
      'A title alone asks for a text; with options it is a choice, with fields a form. kind: approval asks for a decision about arguments.',
    params: ThreadParams,
    body: CreateBody,
    status: 201,
    response: InteractionSchema,
    handle: (service, { params, body, write }) => service.createInteraction({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'listInteractions',
    method: 'GET',
    path: '/v1/interactions',
    tag,
    summary: 'List interactions',
    query: Type.Object(
      {
        ...filter,
        order: Type.Optional(Type.Enum(['oldest', 'newest'], { default: 'oldest' })),
        offset: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: limits.counted,
            default: 0,
            description: 'Number of items to skip. Prefer `cursor`.',
          }),
        ),
        ...pageQuery,
      },
      strict,
    ),
    status: 200,
    response: pageOf(InteractionSchema),
    handle: (service, { query }) => service.listInteractions(query),
  }),
  route({
    operationId: 'countInteractions',
    method: 'GET',
    path: '/v1/interactions/count',
    tag,
    summary: 'Count interactions',
    query: Type.Object(
      {
        ...filter,
        archived: Type.Optional(
          Type.Enum(['true', 'false'], { description: 'true: only in archived threads. false: only in the others.' }),
        ),
      },
      strict,
    ),
    status: 200,
    response: Type.Object(
      {
        count: Type.Integer({
          minimum: 0,
          maximum: limits.counted,
          description: `How many there are; no further than ${thousands(limits.counted)}.`,
        }),
        isPartial: Type.Optional(
          Type.Literal(true, {
            description: 'There may be more: the server stopped before it had examined all interactions.',
          }),
        ),
      },
      strict,
    ),
    handle: (service, { query }) => service.countInteractions(query),
  }),
  route({
    operationId: 'getOverview',
    method: 'GET',
    path: '/v1/overview',
    tag,
    summary: 'Sum up what was asked lately',
    description: `By the time of asking. No more than the newest ${thousands(limits.overviewInteractions)} are read, whatever is stored.`,
    query: OverviewQuerySchema,
    status: 200,
    response: OverviewSchema,
    handle: (service, { query }) => service.getOverview(query),
  }),
  route({
    operationId: 'getInteraction',
    method: 'GET',
    path,
    tag,
    summary: 'Get an interaction',
    params: InteractionParams,
    status: 200,
    response: InteractionSchema,
    handle: (service, { params }) => service.getInteraction(params),
    text: getInteractionText,
  }),
  route({
    operationId: 'updateInteraction',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a pending interaction',
    params: InteractionParams,
    body: UpdateBody,
    status: 200,
    response: InteractionSchema,
    handle: (service, { params, body }) => service.updateInteraction({ ...params, ...body }),
  }),
  route({
    operationId: 'submitAnswer',
    method: 'POST',
    path: `${path}/answers`,
    tag,
    summary: 'Answer',
    description: 'The first valid answer wins; with a quorum, every answer is a vote.',
    params: InteractionParams,
    body: SubmitAnswerSchema,
    status: 200,
    response: InteractionSchema,
    handle: (service, { params, body, write }) => service.submitAnswer({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'declineInteraction',
    method: 'POST',
    path: `${path}/decline`,
    tag,
    summary: 'Decline to answer',
    params: InteractionParams,
    body: DeclineSchema,
    status: 200,
    response: InteractionSchema,
    handle: (service, { params, body, write }) => service.declineInteraction({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'saveDraft',
    method: 'POST',
    path: `${path}/draft`,
    tag,
    summary: 'Keep what was entered so far',
    description: 'For the caller alone, on whatever device, for a month. It is no answer. What is secret is left out.',
    params: InteractionParams,
    body: SaveDraftSchema,
    isRemembered: false,
    status: 200,
    response: DraftSchema,
    handle: (service, { params, body }) => service.saveDraft({ ...params, ...body }),
  }),
  route({
    operationId: 'getDraft',
    method: 'GET',
    path: `${path}/draft`,
    tag,
    summary: 'Get what was entered so far',
    params: InteractionParams,
    status: 200,
    response: DraftSchema,
    handle: (service, { params }) => service.getDraft(params),
  }),
  route({
    operationId: 'cancelInteraction',
    method: 'POST',
    path: `${path}/cancel`,
    tag,
    summary: 'Withdraw the question',
    params: InteractionParams,
    body: CancelSchema,
    status: 200,
    response: InteractionSchema,
    handle: (service, { params, body, write }) => service.cancelInteraction({ ...params, ...body, ...write }),
  }),
  route({
    operationId: 'waitForInteraction',
    method: 'GET',
    path: `${path}/wait`,
    tag,
    summary: 'Wait for the answer',
    description:
      'Returns within milliseconds of the answer, or with status pending when the time is up: then wait again. Nothing is lost in between.',
    params: InteractionParams,
    query: Type.Object(
      { timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.waitMs, default: 30_000 })) },
      strict,
    ),
    status: 200,
    response: InteractionSchema,
    handle: (service, { params, query, signal }) =>
      service.waitForInteraction({ ...params, ...query, signal: signal() }),
  }),
  route({
    operationId: 'takeSecrets',
    method: 'POST',
    path: `${path}/secrets`,
    tag,
    summary: 'Take the secret values of the answer',
    description: 'They are handed out once and then forgotten.',
    params: InteractionParams,
    status: 200,
    response: Type.Object({ values: FreeObjectSchema }),
    handle: (service, { params, write }) => service.takeSecrets({ ...params, ...write }),
  }),
  route({
    operationId: 'getCallback',
    method: 'GET',
    path: `${path}/callback`,
    tag,
    summary: 'See what came of the callback',
    description: 'For the key that asked with a callbackUrl, and for admins.',
    params: InteractionParams,
    status: 200,
    response: CallbackSchema,
    handle: (service, { params }) => service.getCallback(params),
  }),
  route({
    operationId: 'getCallbackSecret',
    method: 'GET',
    path: '/v1/callback-secret',
    tag,
    summary: 'Get the secret that signs your callbacks',
    description: 'Each key has its own, always the same. Standard Webhooks verifies by it.',
    status: 200,
    response: CallbackSecretSchema,
    handle: (service) => service.getCallbackSecret({}),
  }),
];
