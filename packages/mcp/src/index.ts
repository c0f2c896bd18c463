export { type FormReplies, type FormReply, formReplies } from './ask-human/form-replies.ts';
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
export type { McpCaller } from './mcp-caller.ts';
export { type Refusal, toRefusal } from './refusal.ts';
export { readToolSets, type ToolSet, toolSets } from './tool-sets.ts';
export { acceptedInput, type ToolDefinition, type ToolSchema, tools } from './tools.ts';
