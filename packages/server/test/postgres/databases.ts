/** Databases of a test's own on a server that is shared. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface Database extends AsyncDisposable {
  name: string;
  url: string;
  /** Ends all connections to it. */
  drop(): Promise<void>;
}

/** An empty database, or a copy of another one on the same server. */
export async function createDatabase(server: string, template?: string): Promise<Database> {
  const name = `holdpoint_${randomBytes(8).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await copying(() =>
    withClient(server, async (client) => {
      const { rows } = await client.query('SHOW server_version_num');
      // Copies the files. The default of PostgreSQL 15 and later writes 8 MB to the log for each database, which takes
      // twice the processor time, and as long again when the database is dropped.
      const strategy = Number(rows[0].server_version_num) >= 150_000 ? 'STRATEGY file_copy' : '';
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template ?? 'template0'} ${strategy}`);
    }),
  );
  const drop = () => withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { name, url: url.href, drop, [Symbol.asyncDispose]: drop };
}

async function withClient(server: string, act: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

const objectInUse = '55006';

/** A database cannot be copied while a session uses it, such as autovacuum of the server. */
async function copying(attempt: () => Promise<void>): Promise<void> {
  for (let left = 10; ; left--)
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0 || (error as { code?: string }).code !== objectInUse) throw error;
    }
}
