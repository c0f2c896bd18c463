/** A webhook receiver that answers with a given status and records messages. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Taken {
  headers: IncomingHttpHeaders;
  body: string;
}

export async function receiver(status: number) {
  const messages: Taken[] = [];
  const state = {
    status,
    get taken() {
      return messages.length;
    },
  };
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      messages.push({ headers: request.headers, body });
      reply.writeHead(state.status).end();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { state, messages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}
