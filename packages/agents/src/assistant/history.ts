/** Tool calls and their results as blocks of messages, and as messages of a model. The thread is the assistant's memory. */
import { type Block, defined, type FreeObject, isObject, type Message, textOfMessage } from '@holdpoint/protocol';
import type { AssistantContent, ModelMessage } from 'ai';

interface ToolBlock {
  toolCallId: string;
  toolName: string;
}

export interface ToolCall extends ToolBlock {
  args: unknown;
  /** Why it was not run: there is no such tool, or the arguments are invalid. */
  error?: string;
}

export interface ToolResult extends ToolBlock {
  result: unknown;
  /** The message that a person wrote instead of an answer. Its text is in the result. */
  messageId?: string;
}

/** A larger value does not fit into a message. */
export const maxKeptBytes = 49_152;

export const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value) ?? '').length;

export const callBlocks = (calls: readonly ToolCall[]): Block[] =>
  calls.map(({ toolCallId, toolName, args }) => ({ type: 'tool_call', payload: { toolCallId, toolName, args } }));

export const resultBlock = (result: ToolResult): Block => ({ type: 'tool_result', payload: { ...result } });

const callsIn = ({ blocks }: Message): ToolCall[] =>
  toolPayloads(blocks, 'tool_call').map(({ toolCallId, toolName, args }) => ({ toolCallId, toolName, args }));

const resultsIn = ({ blocks }: Message): ToolResult[] =>
  toolPayloads(blocks, 'tool_result').map(({ toolCallId, toolName, result, messageId }) => ({
    toolCallId,
    toolName,
    result: result ?? null,
    ...defined({ messageId: typeof messageId === 'string' ? messageId : undefined }),
  }));

/** Other authors may write blocks of any shape. */
const toolPayloads = (blocks: readonly Block[], type: string): (ToolBlock & FreeObject)[] =>
  blocks.flatMap(({ type: own, payload }) => (own === type && isToolPayload(payload) ? [payload] : []));

const isToolPayload = (payload: unknown): payload is ToolBlock & FreeObject =>
  isObject(payload) && typeof payload.toolCallId === 'string' && typeof payload.toolName === 'string';

/** Puts the result of each tool call right after it, as models require, whatever was written in between. */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  const whole = messages.filter(({ state }) => state === undefined);
  const calls = whole.map(callsIn);
  const results = calls.map((made, index) => made.map((call) => resultOf(call, whole.slice(index + 1))));
  // A message that was written instead of an answer is in the result of the call.
  const read = new Set(results.flat().map(({ messageId }) => messageId));
  const converted: ModelMessage[] = [];
  for (const [index, message] of whole.entries()) {
    const [text, made = []] = [textOfMessage(message), calls[index]];
    if (message.role === 'user' && text !== '' && !read.has(message.id))
      converted.push({ role: 'user', content: text });
    if (message.role !== 'agent' || (text === '' && made.length === 0)) continue;
    addReply(converted, text, made);
    if (made.length > 0) converted.push(resultsMessage(results[index] ?? []));
  }
  return converted;
}

/** The first result after the call. Some models give the calls of every reply the same ids. */
function resultOf(call: ToolCall, after: readonly Message[]): ToolResult {
  const isIts = ({ toolCallId }: ToolBlock) => toolCallId === call.toolCallId;
  for (const message of after) {
    // Other authors may post blocks of any type.
    if (message.role !== 'agent') continue;
    const result = resultsIn(message).find(isIts);
    if (result) return result;
    if (callsIn(message).some(isIts)) break;
  }
  // A run that was broken off leaves tool calls without a result.
  const { toolCallId, toolName } = call;
  const reason = 'It was broken off, and nothing is known of it.';
  return { toolCallId, toolName, result: { status: 'interrupted', reason } };
}

/** Text and the calls after it are one message of the model. */
function addReply(converted: ModelMessage[], text: string, calls: readonly ToolCall[]): void {
  const last = converted.at(-1);
  const content = replyContent(text, calls);
  if (last?.role === 'assistant' && Array.isArray(last.content)) last.content.push(...content);
  else converted.push({ role: 'assistant', content });
}

export const replyContent = (text: string, calls: readonly ToolCall[]): Exclude<AssistantContent, string> => [
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...calls.map(({ toolCallId, toolName, args }) => ({
    type: 'tool-call' as const,
    toolCallId,
    toolName,
    input: args ?? {},
  })),
];

export const resultsMessage = (results: readonly ToolResult[]): ModelMessage => ({
  role: 'tool',
  content: results.map(({ toolCallId, toolName, result }) => ({
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: 'json', value: (result ?? null) as null },
  })),
});
