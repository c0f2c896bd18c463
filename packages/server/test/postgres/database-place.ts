/** A database of PostgreSQL. */
import { Client } from 'pg';
import type { DataPlace, Watcher } from '../data-place.ts';
import { newDatabase } from './new-database.ts';

export const newDatabasePlace = async (): Promise<DataPlace> => databasePlace(await newDatabase());

export function databasePlace({ name, url, server, drop }: Awaited<ReturnType<typeof newDatabase>>): DataPlace {
  /** Looks from another database, because a look from inside would be a session like those it looks for. */
  async function fromOutside(sql: string): Promise<Record<string, unknown>> {
    await using session = await connect(server);
    const { rows } = await session.client.query(sql, [name]);
    return rows[0];
  }
  const isOpened = async () =>
    (await fromOutside('SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE datname = $1')).sessions !== 0;

  async function contents(): Promise<string> {
    await using session = await connect(url);
    const stored: string[] = [];
    for (const table of await tables(session.client)) {
      const { rows } = await session.client.query(`SELECT row::text AS text FROM ${table} AS row`);
      stored.push(...rows.map(({ text }) => text));
    }
    return stored.join('\n');
  }

  return {
    config: { dataFolder: './unused', databaseUrl: url },
    flags: ['--database-url', url],
    isOpened,
    async isClosedInOrder() {
      while (await isOpened());
      const ended =
        'SELECT sessions::int, sessions_abandoned::int AS abandoned FROM pg_stat_database WHERE datname = $1';
      const { sessions, abandoned } = await fromOutside(ended);
      return Number(sessions) > 0 && abandoned === 0;
    },
    contents,
    async blobBytes() {
      await using session = await connect(url);
      const { rows } = await session.client.query(
        'SELECT coalesce(sum(length(data)), 0)::int AS bytes FROM blob_chunks',
      );
      return rows[0].bytes;
    },
    // Reading all of it reads every page, and puts every long value together.
    isIntact: async () => (await contents()) !== '',
    watch: () => watcherOf(url),
    [Symbol.asyncDispose]: drop,
  };
}

/** Every row of every table, as JSON. */
export async function storedRows(url: string): Promise<Record<string, object[]>> {
  await using session = await connect(url);
  const stored: Record<string, object[]> = {};
  for (const table of await tables(session.client)) {
    const { rows } = await session.client.query(`SELECT to_json(row) AS row FROM ${table} AS row`);
    stored[table] = rows.map(({ row }) => row);
  }
  return stored;
}

async function connect(url: string): Promise<{ client: Client } & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

async function tables(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  return rows.map(({ name }) => name);
}

/** Has the database count, in the transaction that makes them, the rows that are inserted, updated and deleted. */
async function watcherOf(url: string): Promise<Watcher> {
  const { client, [Symbol.asyncDispose]: close } = await connect(url);
  const watched = await tables(client);
  await client.query(`
    CREATE SCHEMA watcher;
    CREATE TABLE watcher.changes AS SELECT 0 AS count;
    CREATE FUNCTION watcher.count_change() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN UPDATE watcher.changes SET count = count + 1; RETURN NULL; END';
    ${watched
      .map(
        (table) => `CREATE TRIGGER watched AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION watcher.count_change();`,
      )
      .join('\n')}
  `);
  return {
    changes: async () => (await client.query('SELECT count FROM watcher.changes')).rows[0].count,
    [Symbol.asyncDispose]: close,
  };
}
