/** What the tests of runs do again and again: as a worker of an agent, and as somebody who waits for it. */
import type { Batch, BegunRun, JournalEntry, Page, Run, Turn } from '@holdpoint/protocol';
import { expect } from 'vitest';
import type { Client } from '../../client.ts';
import { claimOne, complete } from './dispatcher.ts';

type Caller = Pick<Client, 'post' | 'get' | 'call'>;

export const helper = 'helper';

export const claimFor = (client: Caller, more: object = {}): Promise<Batch> =>
  claimOne(client, { agents: [helper], ...more });

export const begin = (client: Caller, { id, workerId }: Batch) =>
  client.post<BegunRun & { code?: string }>(`/v1/dispatch/batches/${id}/run`, { workerId });

/** The run that the batch is for. */
export async function begun(client: Caller, batch: Batch): Promise<Run> {
  const { status, body } = await begin(client, batch);
  expect(status, JSON.stringify(body)).toBe(200);
  if (!body.run) throw new Error('the batch is for no run');
  return body.run;
}

export const advance = (client: Caller, { id, version }: Pick<Run, 'id' | 'version'>, more: object = {}) =>
  client.post<Run & { code?: string; errors?: object[] }>(`/v1/runs/${id}/advance`, {
    expectedVersion: version,
    ...more,
  });

export async function advanced(client: Caller, run: Run, more: object = {}): Promise<Run> {
  const { status, body } = await advance(client, run, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Claims the next batch, brings its run to where it should be, and completes the batch. */
export async function work(client: Caller, more: object): Promise<Run> {
  const batch = await claimFor(client);
  const run = await advanced(client, await begun(client, batch), more);
  await complete(client, batch);
  return run;
}

export const getRun = async (client: Caller, id: string): Promise<Run> =>
  (await client.get<Run>(`/v1/runs/${id}`)).body;

export const runsOf = async (client: Caller, threadId: string): Promise<Run[]> =>
  (await client.get<Page<Run>>(`/v1/runs?threadId=${threadId}`)).body.data;

export const journalOf = async (client: Caller, id: string, query = ''): Promise<Page<JournalEntry>> =>
  (await client.get<Page<JournalEntry>>(`/v1/runs/${id}/journal${query}`)).body;

export async function turnOf(client: Caller, threadId: string, timeoutMs = 30_000): Promise<Turn> {
  const { status, body } = await client.get<Turn>(`/v1/threads/${threadId}/turn?timeoutMs=${timeoutMs}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
