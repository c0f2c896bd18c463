import type pg from 'pg';
import { migrationsAfter } from '../sql/migrations.ts';

/** Advisory lock of a start: of many nodes that start at once, one migrates and the others wait. It never changes. */
export const startLock = 7_400_001;

/** The caller holds the start lock. */
export async function migrate(client: pg.Client): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)');
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM schema_version');
  for (const { version, sql } of migrationsAfter(Number(rows[0]?.version), 'postgres'))
    await client.query(`BEGIN; ${sql}; INSERT INTO schema_version (version) VALUES (${version}); COMMIT`);
}
