import { Client } from 'pg';
import { blobContract } from '../../src/blobs/blob-store.contract.ts';
import { openPostgresBlobs } from '../../src/blobs/postgres-blobs.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts';
import { newDatabase } from './new-database.ts';

blobContract('PostgreSQL', async () => {
  const database = await newDatabase();
  const { url } = database;
  const store = await openPostgresStore({ url });
  const blobs = openPostgresBlobs({ url });
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    blobs,
    async storedBytes() {
      const { rows } = await client.query('SELECT coalesce(sum(length(data)), 0)::int AS bytes FROM blob_chunks');
      return rows[0].bytes;
    },
    async discard() {
      await Promise.all([client.end(), blobs.close(), store.close()]);
      await database.drop();
    },
  };
});
