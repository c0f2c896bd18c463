/** A model over HTTP, in both protocols of OpenAI: it calls a tool for each question it is given, and ends with the results. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

/** It knows only what it is sent: calls that were made, and what came of them. */
interface Conversation {
  /** The first words of the user that are a list: `[{ "title": … }, …]`. */
  questions: { title: string }[];
  /** What the user said. */
  users: string[];
  tools: string[];
  calls: { id: string; arguments: string }[];
  results: Map<string, string>;
}

export type Reply = { text: string } | { calls: { id: string; name: string; arguments: string }[] };

export interface FakeModel extends AsyncDisposable {
  /** The base of an OpenAI-compatible API. */
  url: string;
  /** What it was sent, in order. */
  conversations: Conversation[];
}

export async function startFakeModel(decide: (conversation: Conversation) => Reply = askEach): Promise<FakeModel> {
  const conversations: Conversation[] = [];
  const server = createServer(async (request, response) => {
    const protocol = { '/v1/chat/completions': chat, '/v1/responses': responses }[request.url ?? ''];
    if (!protocol) return void response.writeHead(404).end();
    const body = JSON.parse(await readText(request));
    const conversation = protocol.read(body);
    conversations.push(conversation);
    const unanswered = conversation.calls.find(({ id }) => !conversation.results.has(id));
    // As the real ones do: a history with a call that has no result is refused.
    if (unanswered)
      return sendJson(response, 400, { error: { message: `No tool output found for ${unanswered.id}.` } });
    const reply = decide(conversation);
    if (body.stream) return sendEvents(response, protocol.events(reply));
    sendJson(response, 200, protocol.whole(reply));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    conversations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** All questions at once, by the first tool it has; a text when it has a result of each. */
function askEach({ questions, tools, calls, results }: Conversation): Reply {
  const [name] = tools;
  if (calls.length === 0 && name !== undefined)
    // Of chance, as those of real models: who asks it again after a crash is given other ids for the same calls.
    return { calls: questions.map((question) => ({ id: `call_${randomUUID()}`, name, arguments: write(question) })) };
  const outcomes = calls.map((call) => [JSON.parse(call.arguments).title, parsed(results.get(call.id) ?? '')]);
  return { text: write(Object.fromEntries(outcomes)) };
}

const chat = {
  read({ messages, tools = [] }: ChatRequest): Conversation {
    const users = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
    const results = messages.filter(({ role }) => role === 'tool');
    return {
      questions: questionsOf(users),
      users,
      tools: tools.map((tool) => tool.function.name),
      calls: messages.flatMap(({ tool_calls = [] }) =>
        tool_calls.map((call) => ({ id: call.id, arguments: call.function.arguments })),
      ),
      results: new Map(results.map(({ tool_call_id, content }) => [tool_call_id ?? '', textOf(content)])),
    };
  },
  whole(reply: Reply): object {
    const message = { role: 'assistant', ...chatMessage(reply) };
    const choices = [{ index: 0, message, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' }];
    // LangChain takes messages with one id for one message.
    const id = `chatcmpl-${randomUUID()}`;
    return { id, object: 'chat.completion', created: 1, model: 'fake', choices, usage: chatUsage };
  },
  events(reply: Reply): string[] {
    const message = chatMessage(reply);
    const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
    const delta = { role: 'assistant', ...message, ...(calls ? { tool_calls: calls } : {}) };
    const chunk = (choice: object) =>
      frame({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [choice] });
    const end = 'text' in reply ? 'stop' : 'tool_calls';
    return [
      chunk({ index: 0, delta, finish_reason: null }),
      chunk({ index: 0, delta: {}, finish_reason: end }),
      'data: [DONE]\n\n',
    ];
  },
};

const chatUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function chatMessage(reply: Reply) {
  if ('text' in reply) return { content: reply.text };
  const calls = reply.calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  return { content: null, tool_calls: calls };
}

const responses = {
  read({ input, tools = [] }: ResponsesRequest): Conversation {
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const users = items.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
    return {
      questions: questionsOf(users),
      users,
      tools: tools.map(({ name }) => name),
      calls: items.flatMap(({ type, call_id: id = '', arguments: args = '' }) =>
        type === 'function_call' ? [{ id, arguments: args }] : [],
      ),
      results: new Map(
        items.flatMap(({ type, call_id: id = '', output }) =>
          type === 'function_call_output' ? [[id, textOf(output)] as const] : [],
        ),
      ),
    };
  },
  whole(reply: Reply): object {
    return { ...responseHead, status: 'completed', output: outputOf(reply), usage: responseUsage };
  },
  events(reply: Reply): string[] {
    const response = responses.whole(reply);
    const items = outputOf(reply).flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      ...('text' in reply ? [{ type: 'response.output_text.delta', output_index: index, delta: reply.text }] : []),
      { type: 'response.output_item.done', output_index: index, item },
    ]);
    const created = { type: 'response.created', response: { ...responseHead, status: 'in_progress', output: [] } };
    const events = [created, ...items, { type: 'response.completed', response }];
    return events.map((event, number) => `event: ${event.type}\n${frame({ ...event, sequence_number: number })}`);
  },
};

const responseHead = { id: 'resp_1', object: 'response', created_at: 1, model: 'fake', error: null, tools: [] };
const responseUsage = {
  input_tokens: 1,
  output_tokens: 1,
  total_tokens: 2,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

function outputOf(reply: Reply): object[] {
  if ('text' in reply) {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
    return [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }];
  }
  return reply.calls.map(({ id, ...call }) => ({
    type: 'function_call',
    id: id.replace('call', 'fc'),
    call_id: id,
    ...call,
    status: 'completed',
  }));
}

type Content = string | { text?: string }[] | null | undefined;

interface ChatRequest {
  messages: {
    role: string;
    content?: Content;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { arguments: string } }[];
  }[];
  tools?: { function: { name: string } }[];
}

interface ResponsesRequest {
  input:
    | string
    | { type?: string; role?: string; content?: Content; call_id?: string; arguments?: string; output?: Content }[];
  tools?: { name: string }[];
}

const textOf = (content: Content): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

function questionsOf(texts: string[]): Conversation['questions'] {
  for (const text of texts) {
    const read = parsed(text);
    if (Array.isArray(read)) return read;
  }
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const write = (value: unknown): string => JSON.stringify(value);
const frame = (data: object): string => `data: ${write(data)}\n\n`;

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(write(body));
}

function sendEvents(response: ServerResponse, frames: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const each of frames) response.write(each);
  response.end();
}
