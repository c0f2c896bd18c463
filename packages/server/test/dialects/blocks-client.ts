/** A widget for tests: a server with agents that it talks to, its sessions and its replies. */
import { runAgents } from '@holdpoint/agents';
import { httpService } from '@holdpoint/client';
import type { CreatedApiKey } from '@holdpoint/protocol';
import { expect } from 'vitest';
import type { Client, Reply as HttpReply } from '../client.ts';
import { adminKey, startTestServer, type TestServer } from '../test-server.ts';
import { shop } from './blocks-agents.ts';

export const api = '/api/public/v1/chat';
export const origin = 'https://acme.com';

export interface Block {
  id: string;
  type: string;
  payload: Record<string, unknown>;
}
export interface Reply {
  executionId: string;
  conversationId: string;
  status: string;
  blocks: Block[];
  expectedInput: { schema: { properties: Record<string, object>; required: string[] } } | null;
  waitToken: string | null;
  waitExpiresAt: string | null;
}
interface Refused {
  error: string;
  message: string;
  details?: { field: string; code: string; message: string }[];
}
export type ReplyOrError = { reply: Reply } & Refused;
type Opened = { sessionToken: string; conversationId: string } & ReplyOrError;

export interface Widget {
  client: Client;
  conversationId: string;
  send(body: object, query?: string): Promise<HttpReply<ReplyOrError>>;
  /** Says something and gives the reply. */
  say(text: string, more?: object): Promise<Reply>;
  resume(reply: Reply, values: object): Promise<HttpReply<ReplyOrError>>;
  poll(executionId: string): Promise<Reply>;
}

export interface Site extends AsyncDisposable {
  server: TestServer;
  admin: Client;
  publicKey: string;
  newKey(more?: object): Promise<string>;
  openSession(body?: object, headers?: Record<string, string>): Promise<HttpReply<Opened>>;
  open(body?: object): Promise<Widget>;
}

export async function startSite(): Promise<Site> {
  const server = await startTestServer({ responderRateLimit: 0, sessionRateLimit: 0 });
  const service = httpService({ url: server.url, key: adminKey });
  const worker = runAgents({ service, agents: [shop], onError: () => {} });
  const { admin } = server;
  const newKey = async (more: object = {}): Promise<string> => {
    const settings = { agent: 'shop', allowedOrigins: [origin], ...more };
    const made = await admin.post<CreatedApiKey>('/v1/keys', { name: 'a page', role: 'public', public: settings });
    return made.body.publicKey ?? '';
  };
  const publicKey = await newKey();
  const openSession: Site['openSession'] = (body = {}, headers = { origin }) =>
    admin.as(undefined).post<Opened>(`${api}/sessions`, { publicKey, ...body }, headers);
  return {
    server,
    admin,
    publicKey,
    newKey,
    openSession,
    async open(body = {}) {
      const { sessionToken, conversationId } = (await openSession(body)).body;
      return widget(admin.as(sessionToken), conversationId);
    },
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

function widget(client: Client, conversationId: string): Widget {
  const send = (sent: object, query = '') => client.post<ReplyOrError>(`${api}/messages${query}`, sent);
  return {
    client,
    conversationId,
    send,
    async say(text, more = {}) {
      const { status, body } = await send({ text, ...more });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(Object.keys(body)).toEqual(['reply']);
      expect(Object.keys(body.reply).toSorted()).toEqual(replyKeys);
      return body.reply;
    },
    resume: ({ waitToken, executionId }, values) => send({ waitToken, executionId, values }),
    async poll(executionId) {
      const { status, body } = await client.get<ReplyOrError>(`${api}/executions/${executionId}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.reply;
    },
  };
}
const replyKeys = 'blocks conversationId executionId expectedInput status waitExpiresAt waitToken'.split(' ');

export const said = ({ blocks }: Reply) => blocks.map(({ payload }) => payload.text);
export const echoed = ({ blocks }: Reply) => JSON.parse(String(blocks.at(-1)?.payload.text));

export function expectRefused(
  { status, body, headers }: HttpReply<ReplyOrError>,
  code: number,
  error: string,
): Refused {
  expect({ status, body }).toMatchObject({ status: code, body: { error, message: expect.any(String) } });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  return body;
}
