/** A client as that system's own: it knows nothing but the calls of its page. */
import { expect } from 'vitest';
import examples from '../../../conformance/src/examples/chat-requests.json' with { type: 'json' };
import type { Client, Reply } from '../client.ts';

export interface Request {
  id: string;
  chat_id: string;
  type: string;
  status: string;
  title: string;
  body: string | null;
  config: Record<string, unknown>;
  created_at: string;
  resolved_at: string | null;
  resolved_by: string | null;
  resolution_payload: Record<string, unknown> | null;
  trace: Record<string, unknown> | null;
  expires_at: string | null;
}

export interface Refusal {
  error: {
    code: string;
    message: string;
    details?: { field?: string; problems?: { pointer: string; code: string }[]; status?: string; requestId?: string };
  };
}

interface Item {
  inputId: string;
  sourceKind: string;
  sourceId: string;
  senderId: string;
  content: string;
  request?: Partial<Request>;
}

export interface DispatchBatch {
  batchId: string;
  chatId: string;
  kind: string;
  agentIdHint: string | null;
  compiledContent: string;
  items: Item[];
  attachments: unknown[];
}

/** An example of the page, or its answer by `name.resolution`, as text. */
export function fixture(name: string): string {
  const [example, part] = name.split('.');
  const found = examples.find((one) => one.name === example);
  if (!found) throw new Error(`There is no example ${name}.`);
  return JSON.stringify(part === 'resolution' ? found.resolution : found.request);
}

export const newChat = async (client: Client, more: object = {}): Promise<string> => {
  const chat = await client.post<{ id: string }>('/api/v1/chats', { agentIds: ['deployer'], modelId: 'm', ...more });
  expect(chat.status, JSON.stringify(chat.body)).toBe(201);
  return chat.body.id;
};

/** The body as an object, or as the text of a fixture. */
export const ask = async (client: Client, chatId: string, body: unknown): Promise<Request> => {
  const asked = await client.post<Request>(`/api/v1/chats/${chatId}/requests`, body);
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  return asked.body;
};

export const resolve = <T = Request>(client: Client, { id }: Request, payload: unknown): Promise<Reply<T>> =>
  client.post<T>(`/api/v1/requests/${id}/resolve`, payload);

export const pending = async (client: Client, chatId: string): Promise<Request[]> =>
  (await client.get<{ data: Request[] }>(`/api/v1/chats/${chatId}/requests`)).body.data;

/** The refusal in the envelope there, and nothing else. */
export function refused({ status, headers, body }: Reply<unknown>, code: string, expected: number): Refusal['error'] {
  expect(status, JSON.stringify(body)).toBe(expected);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual({ error: expect.objectContaining({ code, message: expect.stringMatching(/\S/) }) });
  return (body as Refusal).error;
}
