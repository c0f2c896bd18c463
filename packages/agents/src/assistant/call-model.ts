/** Calls the model once: yields the text of its reply in pieces, and returns the whole reply. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { defined } from '@holdpoint/protocol';
import {
  APICallError,
  type LanguageModel,
  type ModelMessage,
  RetryError,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import { messageOf } from '../engine/errors.ts';
import { bytesOf, maxKeptBytes, type ToolCall } from './history.ts';

export interface ModelCall {
  model: LanguageModel;
  system: string | undefined;
  tools: ToolSet;
  /** Called when the model is called, and not when the call is replayed. */
  messages(): Promise<ModelMessage[]>;
  /** Number of retries of a call that failed before its first word. */
  maxRetries: number;
}

export interface ModelReply {
  text: string;
  toolCalls: ToolCall[];
  finishReason: string;
}

export async function* callModel({ messages: read, system, ...call }: ModelCall): AsyncGenerator<string, ModelReply> {
  const messages = await read();
  const gone = new AbortController();
  const reply: ModelReply = { text: '', toolCalls: [], finishReason: 'unknown' };
  let hasBegun = false;
  try {
    // Without `onError` the error would be printed.
    const settings = { ...call, ...defined({ instructions: system }), abortSignal: gone.signal, onError: () => {} };
    for await (const part of streamText({ ...settings, messages }).fullStream) {
      if (part.type === 'error') throw part.error;
      hasBegun ||= part.type !== 'start';
      if (part.type === 'finish') reply.finishReason = part.finishReason;
      if (part.type === 'tool-call') reply.toolCalls.push(toCall(part));
      if (part.type !== 'text-delta' || part.text === '') continue;
      reply.text += part.text;
      yield part.text;
    }
    return reply;
  } catch (error) {
    throw modelFailure(error, hasBegun);
  } finally {
    gone.abort();
  }
}

function toCall(part: Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>): ToolCall {
  const { toolCallId, toolName, input } = part;
  const call = { toolCallId, toolName };
  const bytes = bytesOf(input);
  if (bytes > maxKeptBytes) return { ...call, args: {}, error: `The arguments are too large: ${bytes} bytes.` };
  return { ...call, args: input, ...defined({ error: part.invalid ? messageOf(part.error) : undefined }) };
}

/** The reply was cut off in the middle. Another call may bring the whole of it. */
class CutOff extends Error {
  override name = 'CutOff';
}

/** Returns an error on which an operator can act. Leaves out the text of a rejection of the key, because some repeat the key. */
function modelFailure(error: unknown, hasBegun: boolean): Error {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined;
  if (status === 401 || status === 403) return new Error(`The model refused the key, with status ${status}.`);
  if (status !== undefined && status >= 300)
    return new Error(`The model answered with status ${status}: ${excerptOf(cause)}`);
  if (hasBegun || status !== undefined)
    return new CutOff(`The model broke off in the middle of its reply: ${excerptOf(cause)}`);
  return new Error(`The model could not be called: ${excerptOf(cause)}`);
}

const excerptOf = (error: unknown): string => messageOf(error).slice(0, 500);

export interface ModelAddress {
  /** Up to and without `/chat/completions`. */
  url: string;
  model: string;
  key?: string;
}

/** Returns a model behind an address with the API of OpenAI. */
export function modelAt({ url, model, key }: ModelAddress): LanguageModel {
  const withKey = key === undefined ? {} : { apiKey: key, fetch: withoutKey(key) };
  return createOpenAICompatible({ name: 'model', baseURL: url, ...withKey })(model);
}

/** Removes the key from error responses. Their text becomes the error of a run, and some repeat the key. */
const withoutKey =
  (key: string): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request);
    if (response.ok) return response;
    const { status, statusText, headers } = response;
    const text = (await response.text()).replaceAll(key, '[key]');
    return new Response(text, { status, statusText, headers: { 'content-type': headers.get('content-type') ?? '' } });
  };
