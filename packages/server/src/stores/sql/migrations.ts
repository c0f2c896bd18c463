import { existsSync, readdirSync } from 'node:fs';

/** The numbered files of one database, in order: beside the bundle in a package, beside the sources while developing. */
export function migrationsOf(database: 'sqlite' | 'postgres'): URL[] {
  // Three folders above a bundle are the files of whoever installed it.
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
