/** Plain numbered SQL files, forward only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Migration {
  version: number;
  sql: string;
}

/** Returns the migrations after a version. Data of a newer server is refused, because this one cannot read it. */
export function migrationsAfter(version: number, database: 'sqlite' | 'postgres'): Migration[] {
  const files = migrationsOf(database);
  if (version > files.length) {
    const versions = `schema ${version}, this one knows ${files.length}`;
    throw new Error(`the data was written by a newer version of Holdpoint (${versions})`);
  }
  return files
    .map((file, index) => ({ version: index + 1, file }))
    .slice(version)
    .map(({ version, file }) => ({ version, sql: readFileSync(file, 'utf8') }));
}

/** The files lie beside the bundle in a package, and beside the sources during development. */
export function migrationsOf(database: 'sqlite' | 'postgres'): URL[] {
  // Three folders above a bundle are the files of the program that installed it.
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
