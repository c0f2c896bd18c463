/** Stopping under load, and refusing bodies that are too large: every caller reads a complete response. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serversOfATest } from './servers-of-a-test.ts';
import { adminKey } from './test-server.ts';

const { start } = serversOfATest();
const authorization = `Bearer ${adminKey}`;

interface Sent {
  method: string;
  path: string;
  body?: string;
}

/** Resolves with the status once the whole response was read, or with the code of the error. */
function call(url: string, agent: Agent, { method, path, body }: Sent): Promise<string> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const headers = { authorization, 'content-type': 'application/json' };
    const sending = request(url + path, { agent, method, headers }, (response) => {
      response.on('error', fail).on('end', () => resolve(String(response.statusCode)));
      response.resume();
    });
    sending.on('error', fail).end(body);
  });
}

function countOf(outcomes: readonly string[]): Record<string, number> {
  const groups = [...Map.groupBy(outcomes, (outcome) => outcome)];
  return Object.fromEntries(groups.map(([outcome, all]) => [outcome, all.length]));
}

test('[H20][H7] SIGTERM under load: every call gets a whole response, or is refused a connection', async () => {
  const { url, admin, kill } = await start();
  await admin.post('/v1/threads', { id: 'one' });
  const calls: Sent[] = [
    { method: 'GET', path: '/v1/threads/one' },
    { method: 'POST', path: '/v1/threads/one/interactions', body: JSON.stringify({ title: 'Go on?' }) },
    { method: 'POST', path: '/v1/threads/one/messages', body: JSON.stringify({ text: 'x'.repeat(50_000) }) },
  ];
  const outcomes: string[] = [];
  const clients = Array.from({ length: 384 }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = client; ; turn++) {
      const outcome = await call(url, agent, calls[turn % calls.length] ?? { method: 'GET', path: '/' });
      outcomes.push(outcome);
      if (!/^\d+$/.test(outcome)) break;
    }
    agent.destroy();
  });
  await expect.poll(() => outcomes.length).toBeGreaterThan(2_000);
  expect(await kill('SIGTERM')).toEqual({ code: 0, signal: null });
  await Promise.all(clients);
  const { ECONNREFUSED, '200': read, '201': written, '503': stopping, ...others } = countOf(outcomes);
  expect(others).toEqual({});
  expect(ECONNREFUSED).toBe(clients.length);
});

const lengths = { known: 'content-length: 4194304', unknown: 'transfer-encoding: chunked' };

test.each(Object.entries(lengths))('[H21] a body of %s length that is too large gets a 413', async (_name, length) => {
  const { url, kill } = await start({ args: ['--max-body-kb', '64'] });
  const { hostname, port } = new URL(url);
  const piece = 'x'.repeat(65_536);
  const body = Array.from({ length: 64 }, () => (length === lengths.known ? piece : `10000\r\n${piece}\r\n`));
  const end = length === lengths.known ? '' : '0\r\n\r\n';
  const json = ['content-type: application/json', length, '', ''].join('\r\n');
  async function send(path: string): Promise<{ isReset: boolean; received: string }> {
    const socket = connect(Number(port), hostname);
    let received = '';
    let isReset = false;
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => {
      isReset = true;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n${json}`);
    for (const part of body) socket.write(part);
    socket.write(end);
    await closed;
    return { isReset, received };
  }
  const paths = ['/v1/threads', '/api/v1/chats', '/conversations', '/spec/v1/interactions', '/mcp'];
  for (const { isReset, received } of await Promise.all(paths.flatMap((path) => [send(path), send(path)]))) {
    expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i);
    expect(isReset, 'the connection was reset').toBe(false);
  }
  await kill('SIGTERM');
});
