import { existsSync, readdirSync } from 'node:fs';

/** The numbered files of one database, in order: beside the sources while developing, beside the bundle in a package. */
export function migrationsOf(database: 'sqlite' | 'postgres'): URL[] {
  const places = ['../../../migrations/', '../migrations/'].map(
    (path) => new URL(`${path}${database}/`, import.meta.url),
  );
  const folder = places.find((place) => existsSync(place));
  if (!folder) throw new Error(`the migrations for ${database} are missing from this installation`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => new URL(name, folder));
}
