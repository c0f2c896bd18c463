/** The real server of the A2A SDK on Node's own HTTP, and the real client for it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { AgentCard } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type TaskStore,
} from '@a2a-js/sdk/server';

export const callContext = () => new ServerCallContext({ requestedVersion: '1.0' });

export interface A2AServer extends AsyncDisposable {
  handler: DefaultRequestHandler;
  client: Client;
}

export async function startA2A(
  executor: AgentExecutor,
  store: TaskStore = new InMemoryTaskStore(),
): Promise<A2AServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card: AgentCard = {
    name: 'Release manager',
    description: 'Asks before it acts.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
    provider: undefined,
    capabilities: { streaming: false, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [],
    signatures: [],
  };
  const handler = new DefaultRequestHandler(card, store, executor);
  const transport = new JsonRpcTransportHandler(handler);
  server.on('request', async (request, response) => {
    const answer = await transport.handle(await readText(request), callContext());
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return {
    handler,
    client: await new ClientFactory().createFromAgentCard(card),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
