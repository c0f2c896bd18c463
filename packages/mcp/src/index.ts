export { type FormReplies, type FormReply, formReplies } from './ask-human/form-channel.ts';
export { type RequestStates, requestStates, type StateClaims } from './ask-human/request-states.ts';
export {
  type CreateInputRequest,
  type InputRequest,
  type InputRequestField,
  type InputRequestPage,
  type InputRequestPlace,
  type InputRequestStatus,
  type InputRequests,
  type InputResponse,
  inputRequestStatuses,
  type ListInputRequests,
  type PageInfo,
  type Scalar,
  type ScalarValues,
  type SubmitInputRequestResponse,
  type SubmittedInputRequest,
} from './input-requests.ts';
export { type McpCaller, type Refusal, toRefusal } from './mcp-caller.ts';
export {
  acceptedInput,
  readToolSets,
  type ToolDefinition,
  type ToolSchema,
  type ToolSet,
  toolSets,
  tools,
} from './tools.ts';
