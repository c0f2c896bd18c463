/** A model for tests: a server that speaks the protocol of OpenAI, streams, and says what a test has set to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export interface ScriptedReply {
  /** Each is a piece of the stream. */
  text?: readonly string[];
  toolCalls?: readonly { id: string; name: string; args: unknown }[];
  /** Instead of a reply. */
  status?: number;
  /** The connection breaks after the text. */
  isCutOff?: boolean;
  /** After the text, and before the rest. */
  until?: Promise<unknown>;
}

interface ModelRequest {
  authorization: string | undefined;
  model: string;
  messages: { role: string; content?: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string; description: string; parameters: unknown } }[];
}

export interface ModelServer extends AsyncDisposable {
  url: string;
  requests: ModelRequest[];
  /** What it says next, reply by reply. A call that nothing is left for is a status of 500. */
  script(...replies: ScriptedReply[]): void;
  /** Chooses each reply by the request, from then on. */
  decide(reply: (request: ModelRequest) => ScriptedReply): void;
}

export async function startModelServer(...replies: ScriptedReply[]): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const left = [...replies];
  let decided: ((request: ModelRequest) => ScriptedReply) | undefined;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request));
    const received: ModelRequest = { ...body, authorization: request.headers.authorization };
    requests.push(received);
    await answer(request, response, decided?.(received) ?? left.shift() ?? { status: 500 });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...more) => void left.push(...more),
    decide: (reply) => {
      decided = reply;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, reply: ScriptedReply): Promise<void> {
  const { text = [], toolCalls = [], status, isCutOff, until } = reply;
  if (status !== undefined || request.url !== '/v1/chat/completions') {
    response.writeHead(status ?? 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ error: { message: `scripted failure ${request.headers.authorization}`, type: 'server_error' } }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: 'assistant', content: '' });
  for (const piece of text) send({ content: piece });
  await until;
  if (isCutOff) {
    // After what was written, and without the end of the body.
    response.socket?.end();
    return;
  }
  for (const [index, { id, name, args }] of toolCalls.entries()) {
    const whole = typeof args === 'string' ? args : JSON.stringify(args);
    const half = Math.ceil(whole.length / 2);
    send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: whole.slice(0, half) } }] });
    send({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] });
  }
  send({}, toolCalls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}
