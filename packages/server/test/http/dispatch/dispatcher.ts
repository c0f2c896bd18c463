/** What the tests of dispatch do again and again: say something, claim, and be sure that all was taken in. */
import type { Batch } from '@holdpoint/protocol';
import { expect } from 'vitest';
import type { Client } from '../../client.ts';

type Caller = Pick<Client, 'post' | 'call'>;

export async function claim(client: Caller, more: object = {}): Promise<Batch[]> {
  const { status, body } = await client.post<{ data: Batch[] }>('/v1/dispatch/claim', { workerId: 'ann', ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** The next batch, for which it may have to wait. */
export async function claimOne(client: Caller, more: object = {}): Promise<Batch> {
  const [batch] = await claim(client, { waitMs: 30_000, ...more });
  if (!batch) throw new Error('nothing came');
  return batch;
}

export const complete = (client: Caller, { id, workerId }: Batch, headers: Record<string, string> = {}) =>
  client.post<{ code?: string }>(`/v1/dispatch/batches/${id}/complete`, { workerId }, headers);

export const failBatch = (client: Caller, { id, workerId }: Batch, more: object = {}) =>
  client.post<{ code?: string }>(`/v1/dispatch/batches/${id}/fail`, { workerId, reason: 'it broke', ...more });

export async function say(client: Caller, threadId: string, text: string, role = 'user'): Promise<void> {
  const { status, body } = await client.post(`/v1/threads/${threadId}/messages`, { text, role });
  expect(status, JSON.stringify(body)).toBe(201);
}

export async function settings(client: Caller, update: object, threadId?: string): Promise<void> {
  const path = threadId === undefined ? '/v1/dispatch' : `/v1/threads/${threadId}/dispatch`;
  const { status, body } = await client.call(path, { method: 'PATCH', body: update });
  expect(status, JSON.stringify(body)).toBe(200);
}

export const texts = ({ inputs }: Batch): unknown[] => inputs.map(({ message }) => message?.blocks[0]?.payload.text);

/**
 * Afterwards, every input that was committed before is in its thread queue. Inputs are read page by page, and a message after the
 * claim of the first mark is on a later page.
 */
export async function allTakenIn(client: Caller): Promise<void> {
  await client.post('/v1/threads', { id: 'marks' });
  await settings(client, { mode: 'immediate' }, 'marks');
  for (const mark of ['first', 'second']) {
    await say(client, 'marks', mark);
    const batch = await claimOne(client, { workerId: 'marks' });
    expect(batch.threadId, 'something else was ready').toBe('marks');
    await complete(client, batch);
  }
}
