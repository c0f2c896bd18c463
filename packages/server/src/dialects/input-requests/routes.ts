/** The calls about conversations and input requests, and the resume of a run. */

import { acceptedInput, type CreateInputRequest, type ScalarValues, type ToolSchema, tools } from '@holdpoint/mcp';
import {
  CreateThreadSchema,
  defined,
  fail,
  type HoldpointService,
  hasCode,
  type Interaction,
  isInputField,
  isObject,
  limits,
  strictObject,
  type Thread,
} from '@holdpoint/protocol';
import { type TObject, type TSchema, Type } from 'typebox';
import type { Dialect } from '../../routes/dialect.ts';
import { route } from '../../routes/route.ts';
import { refuse } from '../pointers.ts';
import { type Answering, responderOf, toAnswer } from './answer-codec.ts';
import { renderFault, translateFaults, withCurrentRequest } from './fault-codec.ts';
import { findByToolCall, inputRequestsOf, isUuid } from './input-requests.ts';
import { isSameAnswer, isSameDecline } from './request-codec.ts';

/** Shows a thread as a conversation. */
const toConversation = ({ id, title, createdAt, metadata }: Thread) => ({
  id,
  title: title ?? null,
  created_at: createdAt,
  metadata: metadata ?? null,
});

interface ToolResult {
  runId: string;
  toolCallId: string;
  result?: unknown;
  isError?: boolean;
}

async function resumeRun(service: HoldpointService, caller: Answering, sent: ToolResult) {
  const asked = await findAsked(service, sent);
  const { id: interactionId, status } = asked;
  // A repeated result matches this key; a different result is rejected. Callers cannot send a key with a space.
  const write = {
    interactionId,
    ...responderOf(caller, asked),
    idempotencyKey: `input-request-resume ${interactionId}`,
  };
  const outcome = readResult(asked, sent);
  const done = outcome.isDeclined
    ? service.declineInteraction({ ...write, ...defined({ reason: outcome.reason || undefined }) })
    : service.submitAnswer({ ...write, ...toAnswer(asked, outcome.values) });
  const isRepeated = await withCurrentRequest(
    service,
    interactionId,
    done.then(
      () => status !== 'pending',
      async (error) => {
        if (!hasCode(error, 'idempotency-key-reused')) throw error;
        // Accepts the same result again, also from another API key of the org.
        const found = await service.getInteraction({ interactionId });
        const isSame = outcome.isDeclined
          ? isSameDecline(found, outcome.reason)
          : isSameAnswer(found, toAnswer(found, outcome.values));
        return isSame || fail(error.code, 'This tool call already has another result.');
      },
    ),
  );
  return { accepted: true, ...defined({ duplicate: isRepeated || undefined }) };
}

/** Run ids are unique only within a conversation, so a run in two conversations is ambiguous. */
async function findAsked(service: HoldpointService, { runId, toolCallId }: ToolResult): Promise<Interaction> {
  const found = await findByToolCall(service, { runId, toolCallId });
  if (new Set(found.map(({ threadId }) => threadId)).size > 1)
    fail(
      'idempotency-key-reused',
      'This tool call of this run asked in several conversations. Respond to the input request by its id.',
    );
  const asked = found.find(({ status }) => status === 'pending') ?? found[0];
  if (asked) return asked;
  // A question without a run uses its own id for both.
  if (runId === toolCallId && isUuid(runId)) {
    const named = await service.getInteraction({ interactionId: runId });
    if (!named.run) return named;
  }
  return fail('interaction-not-found', 'There is no such input request.');
}

type Outcome = { isDeclined: true; reason?: string } | { isDeclined: false; values: ScalarValues };

/** The values, or `{submitted, values}` as clients write the result of a form. */
function readResult({ fields }: Interaction, { result, isError = false }: ToolResult): Outcome {
  if (isError) return { isDeclined: true, ...reasonIn(result) };
  if (!isObject(result)) return refuse('/result', 'type', 'Send an object, one property for each field.');
  const hasOwnField = fields.some((field) => isInputField(field) && field.name === 'submitted');
  if (result.submitted === false && !hasOwnField) return { isDeclined: true };
  return { isDeclined: false, values: (isObject(result.values) ? result.values : result) as ScalarValues };
}

function reasonIn(result: unknown): { reason?: string } {
  const said = isObject(result) && typeof result.message === 'string' ? result.message : result;
  const text = typeof said === 'string' ? said : said === undefined ? '' : JSON.stringify(said);
  return text.trim() === '' ? {} : { reason: text.slice(0, limits.reasonLength).toWellFormed() };
}

const Id = Type.String({ minLength: 1, maxLength: 255 });
const params = Type.Object({}, { additionalProperties: Id });
const requests = '/conversations/:conversationId/input-requests';
const request = `${requests}/:inputRequestId`;

/** The input of a tool as a body or a query. The path already names the conversation. */
function without(name: string, { properties, required = [], ...schema }: ToolSchema): TObject {
  const { [name]: _inPath, ...others } = properties;
  return { ...schema, properties: others, required: required.filter((one) => one !== name) } as unknown as TObject;
}

const CreateBody = {
  ...without('conversation_id', acceptedInput('create')),
  // A client that sends the tool's input repeats the ids of the path.
  properties: acceptedInput('create').properties,
} as unknown as TObject;

const { values } = tools.submit.inputSchema.properties as unknown as { values: TSchema };
const SubmitBody = strictObject({ values });

const ResumeBody = strictObject({
  type: Type.Literal('tool_result'),
  tool_call_id: Id,
  result: Type.Optional(Type.Unknown()),
  is_error: Type.Optional(Type.Boolean({ default: false })),
});

function place({ conversationId, inputRequestId }: { conversationId: string; inputRequestId: string }) {
  return { conversation_id: conversationId, input_request_id: inputRequestId };
}

const routes = [
  route('POST', '/conversations', {
    summary: 'Create a conversation',
    body: strictObject({ ...CreateThreadSchema.properties, id: Type.Optional(Type.String({ format: 'uuid' })) }),
    status: 201,
    handle: (service, { body, write }) =>
      translateFaults(service.createThread({ ...body, ...write }).then(toConversation)),
  }),
  route('GET', '/conversations/:conversationId', {
    summary: 'Get a conversation',
    params,
    handle: async (service, { params: { conversationId: threadId } }) =>
      isUuid(threadId)
        ? translateFaults(service.getThread({ threadId }).then(toConversation))
        : fail('thread-not-found', 'There is no such conversation.'),
  }),
  route('POST', requests, {
    summary: 'Create an input request',
    params,
    body: CreateBody,
    isRemembered: false,
    status: 201,
    handle: async (service, { params: { conversationId }, body, caller }) => {
      const input = body as unknown as CreateInputRequest;
      if ((input.conversation_id ?? conversationId) !== conversationId)
        refuse('/conversation_id', 'value', 'The path names another conversation.');
      return inputRequestsOf(service, caller).create({ ...input, conversation_id: conversationId });
    },
  }),
  route('GET', requests, {
    summary: 'List input requests, the oldest first',
    params,
    query: without('conversation_id', tools.list.inputSchema),
    handle: (service, { params: { conversationId }, query, caller }) =>
      inputRequestsOf(service, caller).list({ ...query, conversation_id: conversationId }),
  }),
  route('GET', request, {
    summary: 'Get an input request',
    params,
    handle: (service, { params, caller }) => inputRequestsOf(service, caller).get(place(params)),
  }),
  route('POST', `${request}/responses`, {
    summary: 'Answer an input request',
    params,
    body: SubmitBody,
    status: 201,
    handle: (service, { params, body, caller, write }) =>
      inputRequestsOf(service, caller).submit({ ...place(params), values: body.values as ScalarValues }, write),
  }),
  route('POST', `${request}/cancel`, {
    summary: 'Cancel an input request',
    params,
    handle: (service, { params, caller, write }) => inputRequestsOf(service, caller).cancel(place(params), write),
  }),
  route('POST', '/runs/:runId/resume', {
    summary: 'Send the result of a tool call to its run',
    params,
    body: ResumeBody,
    isRemembered: false,
    handle: (service, { params: { runId }, body, caller }) => {
      const { tool_call_id: toolCallId, result, is_error: isError = false } = body;
      return translateFaults(resumeRun(service, caller, { runId, toolCallId, result, isError }));
    },
  }),
];

export const inputRequests: Dialect = {
  name: 'input-requests',
  prefixes: ['/conversations', '/runs'],
  routes,
  renderFault,
};
