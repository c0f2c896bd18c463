/** The database: whether it answers, and which it is. Its password is in no line of ours. */
import { type Check, fail, ok } from './check.ts';

const patienceMs = 5_000;
const oldest = 14;

export async function databaseCheck(url: string): Promise<Check> {
  const { host, pathname } = new URL(url);
  const place = `${host}${pathname}`;
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const asked = `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isReplica"`;
    const { rows } = await client.query<{ version: string; isReplica: boolean }>(asked);
    const { version = '', isReplica = false } = rows[0] ?? {};
    if (Number.parseInt(version, 10) < oldest)
      return fail('database', `${place} is PostgreSQL ${version}`, `use version ${oldest} or later`);
    if (isReplica) return fail('database', `${place} is a replica, which takes no writes`, 'name the primary');
    return ok('database', `${place}, PostgreSQL ${version}`);
  } catch (error) {
    const why = error instanceof AggregateError ? error.errors[0] : error;
    return fail(
      'database',
      `${place} cannot be used: ${(why as Error).message}`,
      'look at DATABASE_URL, and whether it runs',
    );
  } finally {
    await client.end().catch(() => {});
  }
}
