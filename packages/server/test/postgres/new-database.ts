/** A database of a test's own, with everything migrated, on the server that the whole run shares. */
import { inject } from 'vitest';
import { createDatabase, type Database } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { server: string; template: string };
  }
}

export async function newDatabase(): Promise<Database & { server: string }> {
  const { server, template } = inject('postgres');
  return { ...(await createDatabase(server, template)), server };
}
