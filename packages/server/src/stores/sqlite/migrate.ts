import type { DatabaseSync } from 'node:sqlite';
import { migrationsAfter } from '../sql/migrations.ts';

/** Calls `onOlder` before it upgrades the data of an earlier version. All of it happens in one turn of the event loop. */
export function migrate(db: DatabaseSync, onOlder: () => void = () => {}): void {
  const migrations = migrationsAfter(versionOf(db), 'sqlite');
  if (hasTables(db) && migrations.length > 0) onOlder();
  for (const { version, sql } of migrations)
    db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version}; COMMIT`);
}

export const hasTables = (db: DatabaseSync): boolean => versionOf(db) > 0;

/** The number of the last migration that the database has had. */
const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.user_version);
