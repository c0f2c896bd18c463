/** Responds to connections that Node rejects before there is a request: not HTTP, too large, or too slow. */
import type { Socket } from 'node:net';
import { errorTable, type Fault } from '@holdpoint/protocol';
import { isReceiving } from '../files/receive-file.ts';
import { problemType, renderProblem } from './send-fault.ts';

const faults: Record<string, Fault> = {
  HPE_HEADER_OVERFLOW: { code: 'headers-too-large', detail: 'The headers are larger than this server accepts.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request-timeout', detail: 'The request did not arrive in time.' },
};
const malformed: Fault = { code: 'malformed-request', detail: 'The request could not be read as HTTP/1.1.' };

export function answerBrokenHttp(newId: () => string) {
  return (error: { code?: string }, socket: Socket): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReceiving(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const fault = faults[error.code ?? ''] ?? malformed;
    // Not the standard status text: importing node:http for it costs megabytes, because all its exports are loaded.
    const { status, title } = errorTable[fault.code];
    const id = newId();
    const body = renderProblem(fault, id);
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'connection: close',
      `content-type: ${problemType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
