/** Bytes on a socket, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}

/** Sends the text and reads until the server closes. */
export async function exchange(url: string, text: string): Promise<{ status: number; head: string; body: string }> {
  const socket = openSocket(url);
  socket.write(text);
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) received += chunk;
  const [head = '', body = ''] = received.split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head: head.toLowerCase(), body };
}
