/** The fixtures of scripts/make-data-fixture.ts, each on its own copy, for the store of this run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { inject } from 'vitest';
import { migrationsOf } from '../../src/stores/sql/migrations.ts';
import type { DataPlace } from '../data-place.ts';
import { databasePlace } from '../postgres/database-place.ts';
import { createDatabase } from '../postgres/databases.ts';
import { newFolderPlace } from '../sqlite/folder-place.ts';
import type { Story } from './story.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

export const fixtureNames = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Written before the server knew people. */
export const fixturesBeforePeople = ['7db27bf', 'd472b25'];
export const fixturesWithPeople = fixtureNames.filter((name) => !fixturesBeforePeople.includes(name));

export interface Stored extends Story {
  madeAt: number;
  place: DataPlace;
}

export async function openFixture(name: string): Promise<Stored> {
  const store = inject('store');
  const read = () => JSON.parse(gunzipSync(readFileSync(join(folder, name, `${store}.json.gz`))).toString());
  const { files, tables, ...stored } = read() as Stored & { files: Files; tables: Tables };
  return { ...stored, place: store === 'sqlite' ? restoreFolder(files) : await restoreDatabase(tables) };
}

type Files = Record<string, string>;

function restoreFolder(files: Files): DataPlace {
  const place = newFolderPlace();
  for (const [path, content] of Object.entries(files)) {
    const file = join(place.config.dataFolder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, 'latin1');
  }
  return place;
}

type Tables = { schema_version: { version: number }[] } & Record<string, object[]>;

/** Migrations never change, so the migrations of the fixture create its tables. */
async function restoreDatabase(tables: Tables): Promise<DataPlace> {
  const { server } = inject('postgres');
  const database = { ...(await createDatabase(server)), server };
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE TABLE schema_version (version integer PRIMARY KEY)');
  for (const file of migrationsOf('postgres').slice(0, tables.schema_version.length))
    await client.query(readFileSync(file, 'utf8'));
  for (const [table, rows] of Object.entries(tables)) {
    const insert = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1)`;
    await client.query(`DELETE FROM ${table}`);
    await client.query(insert, [JSON.stringify(rows)]);
  }
  await client.query(`SELECT setval(pg_get_serial_sequence('threads', 'position'), max(position)) FROM threads`);
  await client.end();
  return databasePlace(database);
}
