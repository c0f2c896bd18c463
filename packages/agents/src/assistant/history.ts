/** What was said in a thread, as messages of a model. */
import type { Message } from '@holdpoint/protocol';
import type { AssistantContent, ModelMessage } from 'ai';
import { callsIn, resultsIn, type ToolCall, type ToolResult, textOf } from './tool-blocks.ts';

/** Models want the result of each call right after it, whatever was said in between. */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  const results = new Map(messages.flatMap(resultsIn).map((result) => [result.toolCallId, result]));
  // What was written instead of an answer is in the result of the call.
  const read = new Set([...results.values()].map(({ messageId }) => messageId));
  const told: ModelMessage[] = [];
  for (const message of messages.filter(({ state }) => state === undefined)) {
    const [text, calls] = [textOf(message), callsIn(message)];
    if (message.role === 'user' && text !== '' && !read.has(message.id)) told.push({ role: 'user', content: text });
    if (message.role !== 'agent' || (text === '' && calls.length === 0)) continue;
    addReply(told, text, calls);
    if (calls.length > 0) told.push(resultsMessage(calls.map((call) => results.get(call.toolCallId) ?? lost(call))));
  }
  return told;
}

/** Text and the calls after it are one message of the model. */
function addReply(told: ModelMessage[], text: string, calls: readonly ToolCall[]): void {
  const last = told.at(-1);
  const content = replyContent(text, calls);
  if (last?.role === 'assistant' && Array.isArray(last.content)) last.content.push(...content);
  else told.push({ role: 'assistant', content });
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

/** A run that was broken off leaves calls without a result. */
const lost = ({ toolCallId, toolName }: ToolCall): ToolResult => ({
  toolCallId,
  toolName,
  result: { status: 'interrupted', reason: 'It was broken off, and nothing is known of it.' },
});
