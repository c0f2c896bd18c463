/** A database that cannot be used is one clear line and exit 2, which never shows a password. */
import { writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Run, runCommand } from '../run-command.ts';
import { serveCommand } from '../spawned-server.ts';
import { adminKey } from '../test-server.ts';
import { createDatabase, type Database } from './databases.ts';
import { freePort } from './free-port.ts';
import { type Postgres, startPostgres } from './start-postgres.ts';

const password = 'open-sesame-4711';

let postgres: Postgres;
/** That of the server, with the password that it asks for. */
let server: string;

beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  await query(postgres.url, `ALTER ROLE postgres PASSWORD '${password}'`);
  const [{ hba_file } = {}] = await query(postgres.url, 'SHOW hba_file');
  writeFileSync(String(hba_file), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await query(postgres.url, 'SELECT pg_reload_conf()');
  await vi.waitFor(() => expect(query(postgres.url, 'SELECT 1')).rejects.toThrow(), 10_000);
  const url = new URL(postgres.url);
  url.password = password;
  server = url.href;
});
afterAll(() => postgres.discard());

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const at = (pathname: string, more: Partial<URL> = {}): string =>
  Object.assign(new URL(server), { pathname, ...more }).href;

/** A database from a flag, and one from the environment. */
function serve(flag: string | undefined, environment?: string): Promise<Run> {
  const flags = flag === undefined ? [] : ['--database-url', flag];
  const env = { HOLDPOINT_API_KEY: adminKey, DATABASE_URL: environment };
  return runCommand(serveCommand({ flags }), env, ({ stdout }, kill) => {
    if (stdout.includes('holdpoint ready')) kill('SIGTERM');
  });
}

function expectRefused({ stdout, stderr, code }: Run, line: string | RegExp): void {
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toMatch(/^holdpoint: [^\n]+\n$/);
  expect(stderr).toMatch(line);
  expect(stderr).not.toContain(password);
}

describe('the server does not start', () => {
  test('[N5] on a database that a newer version has migrated', async () => {
    await using database = await createDatabase(server);
    await query(database.url, 'CREATE TABLE schema_version AS SELECT 99 AS version');
    const newer = 'was written by a newer version of Holdpoint (schema 99, this one knows';
    const inQuery = at(`/${database.name}`, { password: '', search: `?password=${password}` });
    for (const run of await Promise.all([serve(database.url), serve(inQuery), serve(undefined, database.url)])) {
      expectRefused(run, newer);
      expectRefused(run, `the database ${new URL(server).host}/${database.name} cannot be used: `);
    }
    expect(await query(database.url, 'SELECT to_regclass($$meta$$) AS found')).toEqual([{ found: null }]);
  });

  test('[N4] with a port where no server listens, or a wrong host name', async () => {
    const port = `${await freePort()}`;
    const [closedPort, nowhere] = await Promise.all([
      serve(at('/postgres', { port })),
      serve(at('/postgres', { hostname: 'nowhere.invalid' })),
    ]);
    expectRefused(closedPort, `the database 127.0.0.1:${port}/postgres cannot be used: connect ECONNREFUSED`);
    expectRefused(nowhere, /the database nowhere\.invalid:\d+\/postgres cannot be used: getaddrinfo E/);
  });

  test('[N4] on a database that is not there', async () => {
    expectRefused(await serve(at('/missing')), 'cannot be used: database "missing" does not exist');
  });

  test('[N4] with a wrong password, with none, or as an unknown user', async () => {
    const wrong = `${password}-not`;
    const [inUrl, inQuery, none, unknown] = await Promise.all([
      serve(at('/postgres', { password: wrong })),
      serve(at('/postgres', { password: '', search: `?password=${wrong}` })),
      serve(at('/postgres', { password: '' })),
      serve(at('/postgres', { username: 'nobody' })),
    ]);
    expectRefused(inUrl, 'cannot be used: password authentication failed for user "postgres"');
    expectRefused(inQuery, 'cannot be used: password authentication failed for user "postgres"');
    expectRefused(none, 'cannot be used: ');
    expectRefused(unknown, 'cannot be used: password authentication failed for user "nobody"');
  });

  test('[N4] over an encrypted connection that the server does not offer, and without a warning beside', async () => {
    const modes = ['verify-full', 'no-verify'];
    const runs = modes.map((mode) => serve(at('/postgres', { search: `?sslmode=${mode}` })));
    for (const run of await Promise.all(runs)) expectRefused(run, 'does not support SSL');
  });

  test('[N4] with a text that is no URL of a database, which is not repeated', async () => {
    const urls = [
      `mysql://root:${password}@host/db`,
      `//${password}`,
      `postgres://a:${password}@host:port/db`,
      password,
    ];
    const unusable = [at(`/%zz`), at('/postgres', { search: '?sslmode=require&sslrootcert=/nowhere' })];
    const runs = [...urls, ...unusable].map((url, n) => (n % 2 ? serve(url) : serve(undefined, url)));
    for (const [n, run] of (await Promise.all(runs)).entries())
      expectRefused(run, n < urls.length ? 'the database URL must be like postgres://' : 'cannot be used: ');
  });
});

describe('which database it uses', () => {
  const isMigrated = async ({ url }: Database): Promise<boolean> =>
    (await query(url, `SELECT to_regclass('events') IS NOT NULL AS is`))[0]?.is === true;
  const started = { code: 0, stderr: '', stdout: expect.stringMatching(/^holdpoint ready \S+\n.*sign-in/) };

  test('[N5] is said by DATABASE_URL', async () => {
    await using database = await createDatabase(server);
    expect(await serve(undefined, database.url)).toMatchObject(started);
    expect(await isMigrated(database)).toBe(true);
  });

  test('[N5] is said by --database-url, also where DATABASE_URL says another', async () => {
    await using flag = await createDatabase(server);
    await using environment = await createDatabase(server);
    expect(await serve(flag.url, environment.url)).toMatchObject(started);
    expect([await isMigrated(flag), await isMigrated(environment)]).toEqual([true, false]);
    expect(await serve(flag.url, 'no URL at all')).toMatchObject(started);
  });
});
