/** Plain numbered SQL, forward only. A file written by a newer version is refused, not guessed at. */
import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { migrationsOf } from '../sql/migrations.ts';

export function migrate(db: DatabaseSync): void {
  const files = migrationsOf('sqlite');
  const at = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (at > files.length)
    throw new Error(
      `the data was written by a newer version of Holdpoint (schema ${at}, this one knows ${files.length})`,
    );
  files.slice(at).forEach((file, index) => {
    db.exec(`BEGIN IMMEDIATE; ${readFileSync(file, 'utf8')}; PRAGMA user_version = ${at + index + 1}; COMMIT`);
  });
}
