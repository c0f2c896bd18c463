/** The calls of the input requests, under /conversations and /runs. */
import { acceptedInput, type CreateInputRequest, type ScalarValues, type ToolSchema, tools } from '@holdpoint/mcp';
import { CreateThreadSchema, FreeObjectSchema, fail } from '@holdpoint/protocol';
import { type TObject, type TSchema, Type } from 'typebox';
import type { Dialect } from '../../routes/dialect.ts';
import { route } from '../../routes/route.ts';
import { inTheirWords } from './in-their-words.ts';
import { inputRequestsOf } from './input-requests-of.ts';
import { renderFault } from './render-fault.ts';
import { resumeRun } from './resume-run.ts';
import { toConversation } from './to-conversation.ts';
import { isUuid } from './uuid.ts';

const tag = 'Input requests';
const strict = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 255 });
const ConversationParams = Type.Object({ conversationId: Id }, strict);
const RequestParams = Type.Object({ conversationId: Id, inputRequestId: Id }, strict);
const requests = '/conversations/:conversationId/input-requests';
const request = `${requests}/:inputRequestId`;

const Conversation = Type.Object({
  id: Type.String({ format: 'uuid' }),
  title: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  metadata: Type.Union([FreeObjectSchema, Type.Null()]),
});

/** The input of a tool as the body or the query of a call, whose path already says the conversation. */
function without(name: string, { properties, required = [], ...schema }: ToolSchema): TObject {
  const { [name]: _inPath, ...others } = properties;
  return { ...schema, properties: others, required: required.filter((one) => one !== name) } as unknown as TObject;
}
const output = (schema: ToolSchema): TSchema => schema as unknown as TSchema;

const CreateBody = {
  ...without('conversation_id', acceptedInput('create')),
  // Who sends the tool's input as it is may repeat what the path says.
  properties: acceptedInput('create').properties,
} as unknown as TObject;

const SubmitBody = Type.Object({ values: output(tools.submit.inputSchema.properties.values as ToolSchema) }, strict);

const ResumeBody = Type.Object(
  {
    type: Type.Literal('tool_result'),
    tool_call_id: Id,
    result: Type.Optional(Type.Unknown()),
    is_error: Type.Optional(Type.Boolean({ default: false })),
  },
  strict,
);

function place({ conversationId, inputRequestId }: { conversationId: string; inputRequestId: string }) {
  return { conversation_id: conversationId, input_request_id: inputRequestId };
}

function sameConversation(inPath: string, inBody = inPath): void {
  if (inBody === inPath) return;
  const problem = { pointer: '/conversation_id', code: 'value', message: 'The path names another conversation.' };
  fail('invalid-input', `${problem.pointer}: ${problem.message}`, { problems: [problem] });
}

const routes = [
  route({
    method: 'POST',
    path: '/conversations',
    tag,
    summary: 'Create a conversation',
    body: Type.Object({ ...CreateThreadSchema.properties, id: Type.Optional(Type.String({ format: 'uuid' })) }, strict),
    status: 201,
    response: Conversation,
    handle: (service, { body, write }) =>
      inTheirWords(service.createThread({ ...body, ...write }).then(toConversation)),
  }),
  route({
    method: 'GET',
    path: '/conversations/:conversationId',
    tag,
    summary: 'Get a conversation',
    params: ConversationParams,
    status: 200,
    response: Conversation,
    handle: async (service, { params: { conversationId: threadId } }) =>
      isUuid(threadId)
        ? inTheirWords(service.getThread({ threadId }).then(toConversation))
        : fail('thread-not-found', 'There is no such conversation.'),
  }),
  route({
    method: 'POST',
    path: requests,
    tag,
    summary: 'Create an input request',
    params: ConversationParams,
    body: CreateBody,
    isRemembered: false,
    status: 201,
    response: output(tools.create.outputSchema),
    handle: async (service, { params: { conversationId }, body, caller }) => {
      const input = body as unknown as CreateInputRequest;
      sameConversation(conversationId, input.conversation_id);
      return inputRequestsOf(service, caller).create({ ...input, conversation_id: conversationId });
    },
  }),
  route({
    method: 'GET',
    path: requests,
    tag,
    summary: 'List input requests, the oldest first',
    params: ConversationParams,
    query: without('conversation_id', tools.list.inputSchema),
    status: 200,
    response: output(tools.list.outputSchema),
    handle: (service, { params: { conversationId }, query, caller }) =>
      inputRequestsOf(service, caller).list({ ...query, conversation_id: conversationId }),
  }),
  route({
    method: 'GET',
    path: request,
    tag,
    summary: 'Get an input request',
    params: RequestParams,
    status: 200,
    response: output(tools.get.outputSchema),
    handle: (service, { params, caller }) => inputRequestsOf(service, caller).get(place(params)),
  }),
  route({
    method: 'POST',
    path: `${request}/responses`,
    tag,
    summary: 'Answer an input request',
    params: RequestParams,
    body: SubmitBody,
    status: 201,
    response: output(tools.submit.outputSchema),
    handle: (service, { params, body, caller, write }) =>
      inputRequestsOf(service, caller).submit({ ...place(params), values: body.values as ScalarValues }, write),
  }),
  route({
    method: 'POST',
    path: `${request}/cancel`,
    tag,
    summary: 'Withdraw an input request',
    params: RequestParams,
    status: 200,
    response: output(tools.cancel.outputSchema),
    handle: (service, { params, caller, write }) => inputRequestsOf(service, caller).cancel(place(params), write),
  }),
  route({
    method: 'POST',
    path: '/runs/:runId/resume',
    tag,
    summary: 'Hand the result of a tool call to its run',
    description: 'Answers the input request that the tool call asked for. With is_error it is declined.',
    params: Type.Object({ runId: Id }, strict),
    body: ResumeBody,
    isRemembered: false,
    status: 200,
    response: Type.Object({ accepted: Type.Boolean(), duplicate: Type.Optional(Type.Boolean()) }),
    handle: (service, { params: { runId }, body, caller }) => {
      const { tool_call_id: toolCallId, result, is_error: isError = false } = body;
      return inTheirWords(resumeRun(service, caller, { runId, toolCallId, result, isError }));
    },
  }),
];

export const inputRequests: Dialect = {
  name: 'input-requests',
  prefixes: ['/conversations', '/runs'],
  routes,
  renderFault,
};
