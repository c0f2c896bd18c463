/** Blobs as rows of a few hundred kilobytes in PostgreSQL, so that any node serves any file. */
import { HoldpointError } from '@holdpoint/protocol';
import type { QueryConfig } from 'pg';
import { Connection } from '../stores/postgres/connection.ts';
import { readError } from '../stores/postgres/database-error.ts';
import type { BlobStore } from './blob-store.ts';
import { atMost, endsEarly } from './blob-store.ts';
import { ChunkBuffer, insertChunk } from './insert-chunk.ts';

const chunkBytes = 256 * 1024;

const chunk = {
  read: 'SELECT data FROM blob_chunks WHERE blob_id = $1 AND number = $2',
  remove: 'DELETE FROM blob_chunks WHERE blob_id = $1',
};

/** Connections of its own: bytes that take their time must not stand before the commits and reads of everybody else. */
export function openPostgresBlobs({ url }: { url: string }): BlobStore {
  const reading = new Connection({ url });
  // The last chunk is on disk when it is acknowledged, and with it the log of everything that was committed before.
  const writing = new Connection({ url, mayLose: true });
  const sealing = new Connection({ url });

  const remove = (id: string) => ask(sealing, { name: 'remove chunks', text: chunk.remove, values: [id] });
  const insert = async (connection: Connection, id: string, number: number, buffer: ChunkBuffer) => {
    try {
      await insertChunk(await connection.open(), id, number, buffer);
      buffer.clear();
    } catch (error) {
      connection.mayBeStale(error);
      throw readError(error);
    }
  };

  return {
    async write(id, content, { maxBytes }) {
      try {
        const buffer = new ChunkBuffer(chunkBytes);
        let number = 0;
        for await (const piece of atMost(content, maxBytes))
          for (let taken = 0; taken < piece.byteLength; ) {
            if (buffer.isFull) await insert(writing, id, number++, buffer);
            taken += buffer.fill(piece.subarray(taken));
          }
        await insert(sealing, id, number, buffer);
      } catch (error) {
        await remove(id).catch(() => {});
        throw error;
      }
    },

    async *read(id, { from, to }) {
      for (let number = Math.floor(from / chunkBytes); number * chunkBytes < to; number++) {
        const [row] = await ask(reading, { name: 'read chunk', text: chunk.read, values: [id, number] });
        if (!row) throw new HoldpointError({ code: 'file-not-found', detail: 'The file is not there any more.' });
        const start = number * chunkBytes;
        const data = row.data as Buffer;
        if (start + data.byteLength < Math.min(to, start + chunkBytes)) endsEarly();
        yield data.subarray(Math.max(from - start, 0), to - start);
      }
    },

    async remove(id) {
      await remove(id);
    },

    async close() {
      await Promise.all([reading, writing, sealing].map((connection) => connection.close()));
    },
  };
}

async function ask(connection: Connection, query: QueryConfig): Promise<Record<string, unknown>[]> {
  try {
    return await connection.query(query);
  } catch (error) {
    throw readError(error);
  }
}
