export { type FormReplies, type FormReply, formReplies } from './ask-human/form-channel.ts';
export { requestStates } from './ask-human/request-states.ts';
export type * from './input-requests.ts';
export { type McpCaller, type Refusal, toRefusal } from './mcp-caller.ts';
export { acceptedInput, readToolSets, type ToolSchema, type ToolSet, toolSets, tools } from './tools.ts';
