/** Reads the migrations: numbered SQL files, forward only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the migrations after a version. Throws for data of a newer server, because this one cannot read it. */
export function migrationsAfter(version: number, database: 'sqlite' | 'postgres'): { version: number; sql: string }[] {
  const files = migrationsOf(database);
  if (version > files.length) {
    const versions = `schema ${version}, this one knows ${files.length}`;
    throw new Error(`the data was written by a newer version of Holdpoint (${versions})`);
  }
  return files.slice(version).map((file, index) => ({ version: version + index + 1, sql: readFileSync(file, 'utf8') }));
}

/** The files are next to the bundle in a package, and next to the sources during development. */
export function migrationsOf(database: 'sqlite' | 'postgres'): URL[] {
  // First the path of a package: three folders above a bundle are the files of the program that installed it.
  const places = ['../migrations/', '../../../migrations/'].map(
    (path) => new URL(`${path}${database}/`, import.meta.url),
  );
  const folder = places.find((place) => existsSync(place));
  if (!folder) throw new Error(`the migrations for ${database} are missing from this installation`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => new URL(name, folder));
}
