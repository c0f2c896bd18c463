/** The files of a data folder: their permissions, their loss and their damage, and the errors about it. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Interaction } from '@holdpoint/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { startCommand } from '../commands/commands-of-a-test.ts';
import { upload } from '../files-of-tests.ts';
import { runCommand } from '../run-command.ts';
import { serversOfATest } from '../servers-of-a-test.ts';
import { serveCommand } from '../spawned-server.ts';

const servers = serversOfATest();
let folder: string;
let database: string;
beforeEach(() => {
  folder = servers.place.config.dataFolder;
  database = join(folder, 'holdpoint.db');
});

const isFile = (path: string) => statSync(path).isFile();
const modes = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const path = join(folder, name);
    return { name, mode: (statSync(path).mode & 0o777).toString(8), wanted: isFile(path) ? '600' : '700' };
  });

test.each(['000', '022', '077'])('[S11] with umask %s, only their owner can read the files', async (umask) => {
  chmodSync(folder, 0o755);
  for (const name of ['holdpoint.db', 'holdpoint.pid']) writeFileSync(join(folder, name), '', { mode: 0o644 });
  const wrap = (command: string[]) => ['bash', '-c', `umask ${umask}; exec "$@"`, 'bash', ...command];
  const { admin } = await servers.start({ wrap });
  await admin.post('/v1/threads', { id: 'one' });
  const question = { title: 'Report?', fields: [{ name: 'photo', type: 'file_upload' }] };
  const { id } = (await admin.post<Interaction>('/v1/threads/one/interactions', question)).body;
  const sent = { name: 'a.txt', mime: 'text/plain', content: Buffer.from('text'), isRaw: true };
  expect((await upload(admin, id, sent)).status).toBe(201);
  const names = modes().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['holdpoint.db', 'holdpoint.db-wal', 'holdpoint.lock', 'blobs']));
  expect(modes().filter(({ mode, wanted }) => mode !== wanted)).toEqual([]);
});

test.each(['deleted', 'replaced'])('[S12] a lock file that is %s admits no second server', async (how) => {
  const { admin, process: first } = await servers.start();
  rmSync(join(folder, 'holdpoint.lock'));
  if (how === 'replaced') writeFileSync(join(folder, 'holdpoint.lock'), '');
  const { stderr, code } = await refusedStart();
  expect(stderr).toBe(`holdpoint: ${folder} is in use by another running Holdpoint (process ${first.pid})\n`);
  expect(code).toBe(2);
  expect((await admin.post('/v1/threads', { id: 'one' })).status).toBe(201);
});

/** Stops a server that starts nevertheless, so that the test fails at once. */
const refusedStart = () =>
  runCommand(serveCommand(servers.place), undefined, ({ stdout }, kill) => {
    if (stdout.includes('holdpoint ready')) kill('SIGKILL');
  });

const doctor = async () => {
  const { stdout } = await startCommand('', ['doctor', '--json', ...servers.place.flags]).finished;
  const lines = stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line)).find(({ name }) => name === 'file');
};

describe('a database that is lost', () => {
  /** A folder that a server has used, with an uploaded file. */
  async function used(): Promise<void> {
    const { admin, kill } = await servers.start();
    await admin.post('/v1/threads', { id: 'one' });
    await kill('SIGTERM');
    mkdirSync(join(folder, 'blobs', 'ab'));
    writeFileSync(join(folder, 'blobs', 'ab', 'file'), 'text');
  }
  const keepOnly = (...kept: string[]) => {
    for (const name of readdirSync(folder)) if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true });
  };
  const leaveLog = () => {
    keepOnly();
    writeFileSync(`${database}-wal`, 'log');
  };

  test.each([
    ['missing, beside a lock file', () => keepOnly('holdpoint.lock')],
    ['missing, beside files', () => keepOnly('blobs')],
    ['missing, beside its log', leaveLog],
    ['empty, beside a lock file', () => truncateSync(database)],
  ])('[S13] %s: the server does not start with an empty database', async (_name, lose) => {
    await used();
    lose();
    const before = readdirSync(folder, { recursive: true });
    const { stderr, code } = await refusedStart();
    expect(stderr).toMatch(/^holdpoint: the data folder .+ cannot be used: holdpoint\.db is (missing|empty), but /);
    expect(stderr).toMatch(/Restore it from a backup\. To start without the data, use an empty folder\.\n$/);
    expect(code).toBe(2);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  test('[S13][CM6] a copy without its log has no tables: the server does not start with it, and doctor says so', async () => {
    const { admin, kill } = await servers.start();
    await admin.post('/v1/threads', { id: 'one' });
    await kill('SIGKILL');
    for (const part of ['wal', 'shm']) rmSync(`${database}-${part}`);
    const { stderr, code } = await refusedStart();
    expect(stderr).toContain('holdpoint.db has no tables, but holdpoint.pid beside it shows that there was data.');
    expect(code).toBe(2);
    expect(await doctor()).toMatchObject({ status: 'fail', found: expect.stringContaining('has no tables, but') });
    rmSync(join(folder, 'holdpoint.pid'));
    expect((await (await servers.start()).admin.get('/readyz')).status).toBe(200);
  });

  test('[S13] a folder without files, or with an empty file of a first start, is new', async () => {
    writeFileSync(database, '');
    mkdirSync(join(folder, 'blobs'));
    expect((await (await servers.start()).admin.get('/readyz')).status).toBe(200);
  });
});

describe('a database that is damaged', () => {
  const overwritePage = (page: number) => {
    const file = openSync(database, 'r+');
    writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, (page - 1) * 4_096);
    closeSync(file);
  };
  const rootOf = (table: string): number => {
    using db = new DatabaseSync(database, { readOnly: true });
    return Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage);
  };
  const ask = async () => {
    const { admin, kill } = await servers.start();
    await admin.post('/v1/threads', { id: 'one' });
    const { body } = await admin.post<Interaction>('/v1/threads/one/interactions', { title: 'Go on?' });
    await kill('SIGTERM');
    return body;
  };

  test('[S14][CM6] doctor finds an overwritten page, and no problem in an undamaged database', async () => {
    await ask();
    const before = readdirSync(folder);
    expect(await doctor()).toMatchObject({ status: 'ok' });
    expect(readdirSync(folder), 'doctor has changed something').toEqual(before);
    overwritePage(rootOf('interactions'));
    expect(await doctor()).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('holdpoint.db is damaged'),
      todo: expect.stringContaining('backup'),
    });
  });

  test('[S13][CM6] doctor finds that a database is lost', async () => {
    await ask();
    truncateSync(database);
    expect(await doctor()).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('holdpoint.db is empty, but'),
    });
    rmSync(database);
    expect(await doctor()).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('holdpoint.db is missing, but'),
    });
  });

  test('[S14] a read of the damaged page fails, and /readyz from then on', async () => {
    const { id } = await ask();
    overwritePage(rootOf('interactions'));
    const { admin } = await servers.start();
    expect((await admin.get('/readyz')).status).toBe(200);
    expect(await admin.get(`/v1/interactions/${id}`)).toMatchObject({
      status: 503,
      body: { code: 'storage-unavailable' },
    });
    expect(await admin.get('/readyz')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('the database is damaged') },
    });
    expect((await admin.get('/healthz')).status).toBe(200);
  });

  test('[S14] a write to the damaged page fails', async () => {
    await ask();
    overwritePage(rootOf('messages'));
    const { admin } = await servers.start();
    const { status } = await admin.post('/v1/threads/one/messages', { text: 'Hello' });
    expect(status).toBe(503);
    expect((await admin.get('/readyz')).status).toBe(503);
  });

  test.each([
    ['overwritten', () => overwritePage(1)],
    ['emptied', () => truncateSync(database)],
    ['deleted', () => rmSync(database)],
    ['replaced', () => renameSync(`${database}-wal`, database)],
  ])('[S14] /readyz notices that the file of a running server was %s', async (_name, damage) => {
    const { admin } = await servers.start();
    expect((await admin.get('/readyz')).status).toBe(200);
    damage();
    expect(await admin.get('/readyz')).toMatchObject({ status: 503, body: { code: 'storage-unavailable' } });
  });

  test('[S14] a truncated file is refused at the start, with advice', async () => {
    await ask();
    truncateSync(database, 8 * 4_096);
    const { stderr, code } = await refusedStart();
    expect(stderr).toContain('holdpoint.db is damaged (database disk image is malformed). Restore it from a backup.');
    expect(code).toBe(2);
    expect(existsSync(database)).toBe(true);
  });
});
