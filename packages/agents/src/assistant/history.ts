/** Converts the messages of a thread to messages of a model. */
import type { Message } from '@holdpoint/protocol';
import type { AssistantContent, ModelMessage } from 'ai';
import { callsIn, resultsIn, type ToolCall, type ToolResult, textOf } from './tool-blocks.ts';

/** Puts the result of each tool call right after it, as models require, whatever was written in between. */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  const whole = messages.filter(({ state }) => state === undefined);
  const calls = whole.map(callsIn);
  const results = calls.map((made, index) => made.map((call) => resultOf(call, whole.slice(index + 1))));
  // A message that was written instead of an answer is in the result of the call.
  const read = new Set(results.flat().map(({ messageId }) => messageId));
  const converted: ModelMessage[] = [];
  for (const [index, message] of whole.entries()) {
    const [text, made = []] = [textOf(message), calls[index]];
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
  const isIts = ({ toolCallId }: { toolCallId: string }) => toolCallId === call.toolCallId;
  for (const message of after) {
    // Other authors may post blocks of any type.
    if (message.role !== 'agent') continue;
    const result = resultsIn(message).find(isIts);
    if (result) return result;
    if (callsIn(message).some(isIts)) break;
  }
  return lost(call);
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

/** A run that was broken off leaves tool calls without a result. */
const lost = ({ toolCallId, toolName }: ToolCall): ToolResult => ({
  toolCallId,
  toolName,
  result: { status: 'interrupted', reason: 'It was broken off, and nothing is known of it.' },
});
