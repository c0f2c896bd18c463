/** Plain numbered SQL, forward only. A file written by a newer version is refused, not guessed at. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Beside the sources while developing, beside the bundle in a package. */
const places = ['../../../migrations/sqlite/', '../migrations/sqlite/'].map((path) => new URL(path, import.meta.url));
const folder = places.find((place) => existsSync(place)) ?? new URL(import.meta.url);

export function migrate(db: DatabaseSync): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const at = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (at > files.length)
    throw new Error(
      `the data was written by a newer version of Holdpoint (schema ${at}, this one knows ${files.length})`,
    );
  files.slice(at).forEach((name, index) => {
    db.exec(
      `BEGIN IMMEDIATE; ${readFileSync(new URL(name, folder), 'utf8')}; PRAGMA user_version = ${at + index + 1}; COMMIT`,
    );
  });
}
