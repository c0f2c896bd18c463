/** Plain numbered SQL, forward only. Of many nodes that start at once, one migrates and the others wait for it. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { migrationsOf } from '../sql/migrations.ts';

/** Every node must know this number, so it never changes. */
export const startLock = 7_400_001;

/** Call it holding the start lock. */
export async function migrate(client: pg.Client): Promise<void> {
  const files = migrationsOf('postgres');
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)');
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM schema_version');
  const at = Number(rows[0]?.version);
  if (at > files.length)
    throw new Error(
      `the database was written by a newer version of Holdpoint (schema ${at}, this one knows ${files.length})`,
    );
  for (const [index, file] of files.slice(at).entries()) {
    const version = at + index + 1;
    await client.query(
      `BEGIN; ${readFileSync(file, 'utf8')}; INSERT INTO schema_version (version) VALUES (${version}); COMMIT`,
    );
  }
}
