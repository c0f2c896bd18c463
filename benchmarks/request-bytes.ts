/** HTTP requests as bytes, made before the clock starts. */
import { sampleAnswer, sampleQuestion } from './sample.ts';

export const benchKey = 'bench-admin-key';

function request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${benchKey}\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  return Buffer.from(
    `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const question = JSON.stringify(sampleQuestion);
const answer = JSON.stringify(sampleAnswer);

export const createThread = (): Buffer => request('POST', '/v1/threads', '{}');
export const create = (threadId: string): Buffer => request('POST', `/v1/threads/${threadId}/interactions`, question);
/** Asked with a deadline. */
export const createDue = (threadId: string, at: string): Buffer =>
  request(
    'POST',
    `/v1/threads/${threadId}/interactions`,
    JSON.stringify({ ...sampleQuestion, deadline: { at, outcome: 'expire' } }),
  );
export const createWebhook = (url: string): Buffer =>
  request('POST', '/v1/webhooks', JSON.stringify({ url, events: ['interaction.answered'] }));
export const deleteWebhook = (id: string): Buffer => request('DELETE', `/v1/webhooks/${id}`);
export const get = (id: string): Buffer => request('GET', `/v1/interactions/${id}`);
export const giveAnswer = (id: string): Buffer => request('POST', `/v1/interactions/${id}/answers`, answer);
export const wait = (id: string): Buffer => request('GET', `/v1/interactions/${id}/wait?timeoutMs=60000`);

const message = JSON.stringify({ text: 'Could you look at the refund of order 4711 once more?', role: 'user' });
export const say = (threadId: string): Buffer => request('POST', `/v1/threads/${threadId}/messages`, message);
export const claimBatch = (workerId: string, waitMs: number): Buffer =>
  request('POST', '/v1/dispatch/claim', JSON.stringify({ workerId, waitMs }));
export const completeBatch = (id: string, workerId: string): Buffer =>
  request('POST', `/v1/dispatch/batches/${id}/complete`, JSON.stringify({ workerId }));
