/** A connection inside this process: each of two ends reads what the other writes. */
import { Duplex } from 'node:stream';

/** The server end has the address of the client, like the socket of a listening server. */
export function socketPair(remoteAddress: string | undefined): { client: Duplex; server: Duplex } {
  const client = new End();
  const server = Object.assign(new End(), { remoteAddress });
  client.connect(server);
  server.connect(client);
  // The server must notice at once that its caller is gone, even while it reads no body. The client still reads the last data.
  client.once('close', () => server.destroy());
  return { client, server };
}

class End extends Duplex {
  #other: End | undefined;
  /** Ends the write of the other end, which waits until this end is read. */
  #taken: (() => void) | undefined;

  connect(other: End): void {
    this.#other = other;
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#pass(chunk, done);
  }

  override _final(done: () => void): void {
    this.#pass(null, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this._read();
    this.#pass(null, () => {});
    done(error);
  }

  #pass(chunk: Buffer | null, done: () => void): void {
    const other = this.#other;
    if (other) other.#give(chunk, done);
    else done();
  }

  #give(chunk: Buffer | null, done: () => void): void {
    if (this.destroyed || this.push(chunk) || chunk === null) done();
    else this.#taken = done;
  }
}
