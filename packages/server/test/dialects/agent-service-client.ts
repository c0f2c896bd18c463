/** A client of the Agent Service Spec, which holds everything it gets against the published documents. */
import { type ErrorCode, errorTable, type Problem } from '@holdpoint/protocol';
import { expect } from 'vitest';
import type { InteractionRequest } from '../../src/dialects/agent-service/request-codec.ts';
import { resourceProblems } from '../../src/dialects/agent-service/resource-check.fixture.ts';
import type { Client, Reply } from '../client.ts';

export interface ErrorBody {
  code: number;
  message: string;
  data: null;
  error: { code: ErrorCode; retryable: boolean; requestId: string; problems: Problem[]; current?: object };
}

interface ResourcePage {
  total: number;
  offset: number;
  limit: number;
  list: InteractionRequest[];
}

let runs = 0;

export class AgentServiceClient {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** What was made; throws where it was refused. */
  async create(command: object = {}): Promise<InteractionRequest> {
    return resourceIn(await this.tryCreate(command), 201);
  }

  tryCreate(command: object = {}, key?: string): Promise<Reply> {
    const body = { runId: `run-${++runs}`, attemptId: '1', kind: 'approval', prompt: { title: 'Deploy?' }, ...command };
    return this.client.post('/spec/v1/interactions', body, key ? { 'idempotency-key': key } : {});
  }

  async get(id: string): Promise<InteractionRequest> {
    return resourceIn(await this.client.get(`/spec/v1/interactions/${id}`));
  }

  async list(query: Record<string, string> = {}): Promise<ResourcePage> {
    const search = new URLSearchParams(query);
    const { status, body } = await this.client.get(`/spec/v1/interactions?${search}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 0, message: 'ok' } });
    const page = body.data as ResourcePage;
    for (const resource of page.list) expect(resourceProblems(resource)).toEqual([]);
    return page;
  }

  async respond(id: string, command: object): Promise<InteractionRequest> {
    return resourceIn(await this.tryRespond(id, command));
  }

  tryRespond(id: string, command: object, key?: string): Promise<Reply> {
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
    return this.client.post(`/spec/v1/interactions/${id}/respond`, command, headers);
  }

  tryCancel(id: string, command: object = {}): Promise<Reply> {
    return this.client.post(`/spec/v1/interactions/${id}/cancel`, command);
  }
}

export function resourceIn({ status, body }: Reply, expected = 200): InteractionRequest {
  expect({ status, body }).toMatchObject({ status: expected, body: { code: 0, message: 'ok' } });
  expect(Object.keys(body).toSorted()).toEqual(['code', 'data', 'message']);
  expect(resourceProblems(body.data)).toEqual([]);
  return body.data as InteractionRequest;
}

/** An error in the shape of the dialect; throws where there was none. */
export function errorIn(reply: Reply): ErrorBody['error'] {
  const body = reply.body as unknown as ErrorBody;
  expect(body).toMatchObject({ code: reply.status, message: expect.any(String), data: null });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(errorTable[body.error.code].status).toBe(reply.status);
  expect(body.error.requestId).toBe(reply.headers.get('x-request-id'));
  return body.error;
}

export const places = ({ problems }: ErrorBody['error']): [string, string][] =>
  problems.map(({ pointer, code }) => [pointer, code]);
