/** Tool calls and their results as blocks of messages. The thread is the assistant's memory. */
import { type Block, defined, isObject, type Message } from '@holdpoint/protocol';

export interface ToolCall {
  toolCallId: string;
  toolName: string;
  args: unknown;
  /** Why it was not run: there is no such tool, or the arguments are invalid. */
  error?: string;
}

export interface ToolResult {
  toolCallId: string;
  toolName: string;
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

export const callsIn = ({ blocks }: Message): ToolCall[] =>
  toolPayloads(blocks, 'tool_call').map(({ toolCallId, toolName, args }) => ({ toolCallId, toolName, args }));

export const resultsIn = ({ blocks }: Message): ToolResult[] =>
  toolPayloads(blocks, 'tool_result').map(({ toolCallId, toolName, result, messageId }) => ({
    toolCallId,
    toolName,
    result: result ?? null,
    ...defined({ messageId: typeof messageId === 'string' ? messageId : undefined }),
  }));

interface ToolPayload extends Record<string, unknown> {
  toolCallId: string;
  toolName: string;
}

/** Other authors may write blocks of any shape. */
const toolPayloads = (blocks: readonly Block[], type: string): ToolPayload[] =>
  blocks.flatMap(({ type: own, payload }) => (own === type && isToolPayload(payload) ? [payload] : []));

const isToolPayload = (payload: unknown): payload is ToolPayload =>
  isObject(payload) && typeof payload.toolCallId === 'string' && typeof payload.toolName === 'string';

/** The text of a message. */
export const textOf = ({ blocks }: Message): string =>
  blocks
    .flatMap(({ type, payload: { text } }) => (type === 'message' && typeof text === 'string' ? [text] : []))
    .join('\n\n');
