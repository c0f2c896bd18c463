/** HTTP requests as bytes, made before the clock starts. */
import { sampleAnswer, sampleQuestion } from './sample.ts';

export const benchKey = 'bench-admin-key';

const question = JSON.stringify(sampleQuestion);
const answer = JSON.stringify(sampleAnswer);
const message = JSON.stringify({ text: 'Could you look at the refund of order 4711 once more?', role: 'user' });

/** The requests of one caller. */
export function requestsOf(key: string) {
  const request = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: string): Buffer => {
    const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`;
    if (body === undefined) return Buffer.from(`${head}\r\n`);
    return Buffer.from(
      `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  return {
    createThread: (): Buffer => request('POST', '/v1/threads', '{}'),
    create: (threadId: string): Buffer => request('POST', `/v1/threads/${threadId}/interactions`, question),
    /** Creates a question with a deadline. */
    createDue: (threadId: string, at: string): Buffer =>
      request(
        'POST',
        `/v1/threads/${threadId}/interactions`,
        JSON.stringify({ ...sampleQuestion, deadline: { at, outcome: 'expire' } }),
      ),
    createWebhook: (url: string): Buffer =>
      request('POST', '/v1/webhooks', JSON.stringify({ url, events: ['interaction.answered'] })),
    deleteWebhook: (id: string): Buffer => request('DELETE', `/v1/webhooks/${id}`),
    get: (id: string): Buffer => request('GET', `/v1/interactions/${id}`),
    giveAnswer: (id: string): Buffer => request('POST', `/v1/interactions/${id}/answers`, answer),
    wait: (id: string): Buffer => request('GET', `/v1/interactions/${id}/wait?timeoutMs=60000`),
    say: (threadId: string): Buffer => request('POST', `/v1/threads/${threadId}/messages`, message),
    claimBatch: (workerId: string, waitMs: number): Buffer =>
      request('POST', '/v1/dispatch/claim', JSON.stringify({ workerId, waitMs })),
    completeBatch: (id: string, workerId: string): Buffer =>
      request('POST', `/v1/dispatch/batches/${id}/complete`, JSON.stringify({ workerId })),
  };
}

/** The requests of the admin of the initial org. */
export const { createThread, create, createDue, get, giveAnswer, wait, say, claimBatch, completeBatch } =
  requestsOf(benchKey);
