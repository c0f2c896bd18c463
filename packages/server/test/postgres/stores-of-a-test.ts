/** A database of its own for each test of a file, and an end to every store and session that the test opens in it. */
import { Client } from 'pg';
import { afterEach, beforeEach } from 'vitest';
import type { LockWaits } from '../../src/stores/postgres/group-commit.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts';
import type { Store } from '../../src/stores/store.ts';
import type { Database } from './databases.ts';
import { newDatabase } from './new-database.ts';

export function storesOfATest(makeDatabase: () => Promise<Database> = newDatabase) {
  let database: Database;
  let opened: (() => Promise<unknown>)[];
  beforeEach(async () => {
    opened = [];
    database = await makeDatabase();
  });
  afterEach(async () => {
    await Promise.all(opened.map((close) => close()));
    await database.drop();
  });

  const stores = {
    get url(): string {
      return database.url;
    },
    get name(): string {
      return database.name;
    },
    /** As a node opens it. */
    async open(waits: LockWaits = {}): Promise<Store> {
      const store = await openPostgresStore({ url: database.url, ...waits });
      opened.push(() => store.close());
      return store;
    },
    /** Somebody else who is connected, to this database or another one. */
    async session(url = database.url): Promise<Client> {
      const client = new Client({ connectionString: url });
      // Some tests cut it off.
      client.on('error', () => {});
      await client.connect();
      opened.push(() => client.end());
      return client;
    },
  };
  return stores;
}
