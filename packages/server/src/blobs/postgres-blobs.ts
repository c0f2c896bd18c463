/** Blobs as rows of a few hundred kilobytes in PostgreSQL, so that any node serves any file. */
import { fail } from '@holdpoint/protocol';
import type { QueryConfig } from 'pg';
import { Connection } from '../stores/postgres/connection.ts';
import { readError } from '../stores/postgres/database-error.ts';
import { atMost, type BlobStore, endsEarly } from './blob-store.ts';
import { ChunkBuffer, insertChunk } from './insert-chunk.ts';

const chunkBytes = 256 * 1024;

const chunk = {
  read: 'SELECT data FROM blob_chunks WHERE blob_id = $1 AND number = $2',
  remove: 'DELETE FROM blob_chunks WHERE blob_id = $1',
};

/** Has connections of its own, so that slow transfers do not delay commits and other reads. */
export function openPostgresBlobs({ url }: { url: string }): BlobStore {
  const reading = new Connection({ url });
  // The commit of the last chunk is synced to disk, and with it all commits before.
  const writing = new Connection({ url, mayLose: true });
  const sealing = new Connection({ url });

  const removeChunks = (id: string) => ask(sealing, { name: 'remove chunks', text: chunk.remove, values: [id] });
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
        await removeChunks(id).catch(() => {});
        throw error;
      }
    },

    async *read(id, { from, to }) {
      for (let number = Math.floor(from / chunkBytes); number * chunkBytes < to; number++) {
        const [row] = await ask(reading, { name: 'read chunk', text: chunk.read, values: [id, number] });
        if (!row) fail('file-not-found', 'The file no longer exists.');
        const start = number * chunkBytes;
        const data = row.data as Buffer;
        if (start + data.byteLength < Math.min(to, start + chunkBytes)) endsEarly();
        yield data.subarray(Math.max(from - start, 0), to - start);
      }
    },

    async remove(id) {
      await removeChunks(id);
    },

    async close() {
      await Promise.all([reading, writing, sealing].map((connection) => connection.close()));
    },
  };
}

const ask = (connection: Connection, query: QueryConfig) =>
  connection.query(query).catch((error) => {
    throw readError(error);
  });
