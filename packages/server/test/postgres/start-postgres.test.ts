import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { embeddedBinaries } from './binaries.ts';
import { startPostgres } from './start-postgres.ts';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A server that goes resets the connection, also between two calls.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const folderOf = async (url: string): Promise<string> =>
  String((await query(url, 'SHOW data_directory'))[0]?.data_directory);

test('committed rows are there after a stop and after a kill, at the same address', async () => {
  await using postgres = await startPostgres();
  const { url } = postgres;
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS number');
  await postgres.stop();
  await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await postgres.start();
  await query(url, 'INSERT INTO kept VALUES (2)');
  await postgres.kill();
  await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await postgres.start();
  expect(await query(url, 'SELECT number FROM kept')).toEqual([{ number: 1 }, { number: 2 }]);
});

test('discarded, it leaves nothing behind, whether it runs or not', async () => {
  for (const end of ['discard', 'stop', 'kill'] as const) {
    const postgres = await startPostgres({ fsync: false });
    const folder = await folderOf(postgres.url);
    await postgres[end]();
    await postgres.discard();
    expect(existsSync(folder)).toBe(false);
    await expect(query(postgres.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
});

test('the binaries that are installed with the tests run where the machine has none', async () => {
  await using postgres = await startPostgres({ fsync: false, findBinaries: embeddedBinaries });
  expect(await query(postgres.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
});

/** A process that starts a server and then continues, or ends. */
async function startInChild(afterwards: string) {
  const module = new URL('./start-postgres.ts', import.meta.url);
  const script = `import { startPostgres } from '${module}'; console.log((await startPostgres()).url); ${afterwards}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const [url] = await once(child.stdout, 'data');
  return { child, ended, url: String(url).trim() };
}

test('it goes when the process that started it goes, killed or forgetful', async () => {
  const killed = await startInChild('setInterval(() => {}, 1000)');
  const folder = await folderOf(killed.url);
  killed.child.kill('SIGKILL');
  const forgetful = await startInChild('');
  expect(await forgetful.ended).toEqual([0, null]);
  for (const { url } of [killed, forgetful])
    await expect.poll(() => query(url, 'SELECT 1').catch(({ code }) => code), { timeout: 30_000 }).toBe('ECONNREFUSED');
  await expect.poll(() => existsSync(folder), { timeout: 30_000 }).toBe(false);
});
