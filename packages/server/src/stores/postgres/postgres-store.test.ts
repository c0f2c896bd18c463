import { newDatabase } from '../../../test/postgres/new-database.ts';
import type { OpenedStore } from '../contract/opened-store.ts';
import { stepwiseContract, storeContract } from '../store.contract.ts';
import { openPostgresStore, type PostgresOptions } from './postgres-store.ts';

/** A store in a new database, which goes when it is discarded. */
async function openInNewDatabase(options: Omit<PostgresOptions, 'url'> = {}): Promise<OpenedStore> {
  const database = await newDatabase();
  const { url } = database;
  const first = await openPostgresStore({ url, ...options });
  let current = first;
  return {
    store: first,
    async reopen() {
      await current.close();
      current = await openPostgresStore({ url, ...options });
      return current;
    },
    async discard() {
      await current.close();
      await database.drop();
    },
  };
}

storeContract('PostgreSQL', openInNewDatabase);
stepwiseContract('PostgreSQL', () => openInNewDatabase({ stepRows: 1 }));
