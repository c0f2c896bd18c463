import { afterAll, beforeAll } from 'vitest';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { type Postgres, startPostgres } from '../../../test/postgres/start-postgres.ts';
import type { OpenedStore } from '../contract/opened-store.ts';
import { storeContract } from '../store.contract.ts';
import { openPostgresStore } from './postgres-store.ts';

let postgres: Postgres;
let template: string;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  const database = await createDatabase(postgres.url);
  await (await openPostgresStore({ url: database.url })).close();
  template = database.name;
});
afterAll(() => postgres.discard());

async function openInNewDatabase(): Promise<OpenedStore> {
  const database = await createDatabase(postgres.url, template);
  const { url } = database;
  const first = await openPostgresStore({ url });
  let current = first;
  return {
    store: first,
    async reopen() {
      await current.close();
      current = await openPostgresStore({ url });
      return current;
    },
    async discard() {
      await current.close();
      await database.drop();
    },
  };
}

storeContract('PostgreSQL', openInNewDatabase);
