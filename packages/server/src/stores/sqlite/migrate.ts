/** Plain numbered SQL, forward only. A file written by a newer version is refused, not guessed at. */
import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { migrationsOf } from '../sql/migrations.ts';

/** `onOlder` is told before what an earlier version has written is brought up to date: all of it happens in one turn. */
export function migrate(db: DatabaseSync, onOlder: () => void = () => {}): void {
  const files = migrationsOf('sqlite');
  const at = versionOf(db);
  if (at > files.length)
    throw new Error(
      `the data was written by a newer version of Holdpoint (schema ${at}, this one knows ${files.length})`,
    );
  if (at > 0 && at < files.length) onOlder();
  files.slice(at).forEach((file, index) => {
    db.exec(`BEGIN IMMEDIATE; ${readFileSync(file, 'utf8')}; PRAGMA user_version = ${at + index + 1}; COMMIT`);
  });
}

export const hasTables = (db: DatabaseSync): boolean => versionOf(db) > 0;

/** The number of migrations that the database has had. */
const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.user_version);
