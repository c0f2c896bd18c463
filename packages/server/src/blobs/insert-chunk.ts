/**
 * Writes a row with many bytes to PostgreSQL from one buffer that is reused. The driver would copy every value into a new
 * buffer: an upload of 100 MB held 60 MB until the next garbage collection.
 */
import pg from 'pg';

const text = 'INSERT INTO blob_chunks (blob_id, number, data) VALUES ($1, $2, $3)';
/** Room for the part of the message before the bytes. An id has about forty. */
const headRoom = 1_024;

export class ChunkBuffer {
  readonly #bytes: Buffer;
  readonly #room: number;
  #filled = 0;

  constructor(room: number) {
    this.#room = room;
    this.#bytes = Buffer.allocUnsafeSlow(headRoom + room + 2);
  }

  get isFull(): boolean {
    return this.#filled === this.#room;
  }

  clear(): void {
    this.#filled = 0;
  }

  /** Copies as many bytes as fit, and returns their number. */
  fill(piece: Uint8Array): number {
    const part = piece.subarray(0, this.#room - this.#filled);
    this.#bytes.set(part, headRoom + this.#filled);
    this.#filled += part.byteLength;
    return part.byteLength;
  }

  /** Returns the message Bind of the protocol with three parameters. The last one is binary. */
  bindAs(id: string, number: number): Buffer {
    const name = Buffer.from(id);
    const count = Buffer.from(String(number));
    const head = Buffer.concat([
      Buffer.from('B\0\0\0\0\0\0', 'latin1'),
      int16(3, 0, 0, 1, 3),
      ...[int32(name.length), name, int32(count.length), count, int32(this.#filled)],
    ]);
    const start = headRoom - head.length;
    const end = headRoom + this.#filled + 2;
    head.writeInt32BE(end - start - 1, 1);
    head.copy(this.#bytes, start);
    this.#bytes.writeInt16BE(0, end - 2);
    return this.#bytes.subarray(start, end);
  }
}

function int16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeInt16BE(value, i * 2);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

interface Wire {
  stream: NodeJS.WritableStream & { cork(): void; uncork(): void };
  parse(query: { text: string }): void;
  execute(query: object): void;
  sync(): void;
}

class InsertChunk extends pg.Query {
  readonly #bind: Buffer;

  constructor(bind: Buffer, done: (error: Error | null) => void) {
    super({ text }, undefined, done as never);
    this.#bind = bind;
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    const { stream } = wire;
    stream.cork();
    wire.parse({ text });
    stream.write(this.#bind);
    wire.execute({});
    wire.sync();
    stream.uncork();
  };
}

/** Resolves when the row is written. Until then do not change the buffer. */
export function insertChunk(client: pg.Client, id: string, number: number, chunk: ChunkBuffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new InsertChunk(chunk.bindAs(id, number), (error) => (error ? reject(error) : resolve())));
  });
}
