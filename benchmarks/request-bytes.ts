/** HTTP requests as bytes, made before the clock starts. */
import { sampleAnswer, sampleQuestion } from './sample.ts';

export const benchKey = 'bench-admin-key';

function request(method: 'GET' | 'POST', path: string, body?: string): Buffer {
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
export const get = (id: string): Buffer => request('GET', `/v1/interactions/${id}`);
export const giveAnswer = (id: string): Buffer => request('POST', `/v1/interactions/${id}/answers`, answer);
export const wait = (id: string): Buffer => request('GET', `/v1/interactions/${id}/wait?timeoutMs=60000`);
