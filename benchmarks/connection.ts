/** One keep-alive HTTP connection, as cheap as Node can: raw bytes out, status and content-length read back. */
import { connect, type Socket } from 'node:net';

/** Reads are handled before the next one begins, so all sockets read into the same memory. */
const shared = Buffer.allocUnsafe(256 * 1024);
const endOfHead = Buffer.from('\r\n\r\n');
const lengthHeader = Buffer.from('content-length: ');

export class Connection {
  readonly #socket: Socket;
  #expected: number | undefined;
  #done: ((body: Buffer, status: number) => void) | undefined;
  #partial: Buffer | undefined;
  #isClosed = false;

  private constructor(port: number, opened: () => void) {
    const onread = {
      buffer: shared,
      callback: (size: number) => {
        this.#read(shared.subarray(0, size));
        return true;
      },
    };
    this.#socket = connect({ port, host: '127.0.0.1', onread, noDelay: true }, opened);
    this.#socket.on('error', (error) => this.#lost(error));
    this.#socket.on('close', () => this.#lost(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve) => {
      const connection = new Connection(port, () => resolve(connection));
    });
  }

  /** `done` is given the body, which is valid only until it returns. A status that was not expected ends the process. */
  send(request: Buffer, expected: number, done: (body: Buffer) => void): void {
    this.#expected = expected;
    this.#done = done;
    this.#socket.write(request);
  }

  ask(request: Buffer, expected: number): Promise<string> {
    return new Promise((resolve) => this.send(request, expected, (body) => resolve(body.toString())));
  }

  /** Resolves with the response, whatever its status is. */
  call(request: Buffer): Promise<{ status: number; body: string }> {
    return new Promise((resolve) => {
      this.#expected = undefined;
      this.#done = (body, status) => resolve({ status, body: body.toString() });
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const data = this.#partial ? Buffer.concat([this.#partial, chunk]) : chunk;
    const headEnd = data.indexOf(endOfHead);
    const lengthAt = data.indexOf(lengthHeader) + lengthHeader.length;
    const bodyAt = headEnd + endOfHead.length;
    const end = headEnd === -1 ? Number.POSITIVE_INFINITY : bodyAt + readNumber(data, lengthAt);
    if (data.length < end) {
      this.#partial = Buffer.from(data);
      return;
    }
    this.#partial = undefined;
    const body = data.subarray(bodyAt, end);
    const status = readNumber(data, 9);
    if (this.#expected !== undefined && status !== this.#expected)
      throw new Error(`expected status ${this.#expected}, got ${status}: ${body.toString()}`);
    const done = this.#done;
    this.#done = undefined;
    done?.(body, status);
  }

  #lost(error: Error): void {
    if (!this.#isClosed) throw error;
  }
}

function readNumber(bytes: Buffer, from: number): number {
  let value = 0;
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}
