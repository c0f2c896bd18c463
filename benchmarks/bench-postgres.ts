/** PostgreSQL for benchmarks: each place is a database, on the server of DATABASE_URL or on one that this run starts. */
import { Connection } from '../packages/server/src/stores/postgres/connection.ts';
import { createDatabase } from '../packages/server/test/postgres/databases.ts';
import { startPostgres } from '../packages/server/test/postgres/start-postgres.ts';
import type { BenchStore, Place } from './bench-store.ts';
import { seedPostgres } from './seed-postgres.ts';

export async function benchPostgres(): Promise<BenchStore> {
  const { DATABASE_URL: given } = process.env;
  const server = given ? { url: given, discard: async () => {} } : await startPostgres({ fsync: true });
  const settings = await readSettings(server.url);
  if (settings.fsync !== 'on')
    throw new Error('the database server runs with fsync off: its commits are not durable, so its numbers say nothing');
  const places = new Set<Place>();

  async function newPlace(): Promise<Place & { databaseUrl: string }> {
    const { url, drop } = await createDatabase(server.url);
    const remove = async () => {
      places.delete(place);
      await drop();
    };
    const place = { flags: ['--database-url', url], databaseUrl: url, remove };
    places.add(place);
    return place;
  }

  return {
    name: 'postgres',
    settings,
    emptyPlace: newPlace,
    async seededPlace(stored) {
      const place = await newPlace();
      return { ...place, ...(await seedPostgres(place.databaseUrl, stored)) };
    },
    async close() {
      for (const place of places) await place.remove();
      await server.discard();
    },
  };
}

const named = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size'];

async function readSettings(url: string): Promise<Record<string, string>> {
  const connection = new Connection({ url });
  const rows = await connection.query({
    text: 'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS t(name)',
    values: [named],
  });
  await connection.close();
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
}
