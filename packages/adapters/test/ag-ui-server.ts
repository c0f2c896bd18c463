/** An AG-UI agent over HTTP: the events of a run as server-sent events. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';

export interface AgUiServer extends AsyncDisposable {
  url: string;
  /** What it was sent, in order. */
  inputs: RunAgentInput[];
}

export async function startAgUi(run: (input: RunAgentInput) => AsyncIterable<BaseEvent>): Promise<AgUiServer> {
  const inputs: RunAgentInput[] = [];
  const server = createServer(async (request, response) => {
    const input: RunAgentInput = JSON.parse(await readText(request));
    inputs.push(input);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const event of run(input)) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inputs,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
