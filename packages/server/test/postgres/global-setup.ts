/** One server for all tests on PostgreSQL: that of DATABASE_URL, or one that is there as long as the run. */
import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts';
import { createDatabase } from './databases.ts';
import { startPostgres } from './start-postgres.ts';
import './new-database.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  const { url: server, discard } = given
    ? { url: given, discard: async () => {} }
    : await startPostgres({ fsync: false });
  const template = await createDatabase(server);
  await (await openPostgresStore({ url: template.url })).close();
  project.provide('postgres', { server, template: template.name });
  return async () => {
    await template.drop();
    await discard();
  };
}
