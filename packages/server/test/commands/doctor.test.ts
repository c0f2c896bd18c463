/** holdpoint doctor: its results for a healthy and an unhealthy server. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { serversOfATest } from '../servers-of-a-test.ts';
import { adminKey } from '../test-server.ts';
import { type CommandOptions, freePort, startCommand } from './commands-of-a-test.ts';

const servers = serversOfATest();
const isFolder = inject('store') === 'sqlite';

interface Found {
  name: string;
  status: string;
  found: string;
  todo?: string;
}

async function doctor(args: string[], options: CommandOptions = {}) {
  const env = { HOLDPOINT_URL: undefined, ...options.env };
  const { stdout, stderr, code } = await startCommand('', ['doctor', '--json', ...args], { ...options, env }).finished;
  const lines = stdout.split('\n').filter((line) => line !== '');
  const checks = lines.map((line) => JSON.parse(line) as Found);
  return { code, stderr, of: (name: string) => checks.find((check) => check.name === name), checks };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

test('[CM6] a server that is well: every check is ok, and exit 0', async () => {
  const server = await servers.start();
  const { code, checks, of } = await doctor([...servers.place.flags, '--url', server.url]);
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(code).toBe(0);
  expect(of('key')).toMatchObject({ found: 'an admin key' });
  if (isFolder)
    expect(of('lock')).toMatchObject({ found: `in use by a running server, process ${server.process.pid}` });
  else expect(of('database')).toMatchObject({ found: expect.stringMatching(/PostgreSQL \d+/) });
  const { body } = await server.admin.post('/v1/keys', { name: 'a', role: 'agent' });
  const agent = await doctor([...servers.place.flags, '--url', server.url], {
    env: { HOLDPOINT_API_KEY: String(body.secret) },
  });
  expect(agent.of('key')).toMatchObject({ status: 'ok', found: 'a key with the role agent' });
});

test('[CM6] lines for people say what to do; without a terminal in no colour', async () => {
  const { stdout, code } = await startCommand(
    '',
    ['doctor', '--data', folder, '--url', `http://127.0.0.1:${await freePort()}`],
    { env: { HOLDPOINT_URL: undefined } },
  ).finished;
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok {4}node +\d+/);
  expect(stdout).toMatch(/^fail {2}server +no server answers at .*\n +→ start it, or set another/m);
  expect(stdout).not.toContain('\x1b');
});

describe('a server that is not well', () => {
  test('[CM6] not started: a warning, and whether it could be', async () => {
    const port = String(await freePort());
    const { code, of } = await doctor(['--data', join(folder, 'new'), '--port', port]);
    expect(of('server')).toMatchObject({
      status: 'warn',
      found: `no server answers at http://127.0.0.1:${port}; port ${port} is free`,
    });
    expect(of('data')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('will be created at the first start'),
    });
    expect(code).toBe(0);
    // doctor creates no files.
    expect(readdirSync(folder)).toEqual([]);
  });

  test('[CM6] a port that something else has, which speaks no HTTP, or another', async () => {
    const silent = createSocket((socket) => socket.destroy()).listen(0, '127.0.0.1');
    const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    const portOf = async (server: Server | ReturnType<typeof createSocket>) => {
      await new Promise((resolve) => server.once('listening', resolve));
      onTestFinished(() => void server.close());
      return String((server.address() as AddressInfo).port);
    };
    const [silentPort, otherPort] = await Promise.all([portOf(silent), portOf(other)]);
    const [first, second] = await Promise.all([
      doctor(['--data', folder, '--port', silentPort]),
      doctor(['--data', folder, '--port', otherPort]),
    ]);
    expect(first.of('port')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('in use by another program'),
    });
    expect(second.of('server')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('not a Holdpoint server'),
    });
    expect([first.code, second.code]).toEqual([1, 1]);
  });

  test('[CM6] a key that it does not know, or none', async () => {
    const server = await servers.start();
    const at = [...servers.place.flags, '--url', server.url];
    const unknown = await doctor(at, { env: { HOLDPOINT_API_KEY: 'no-such-key' } });
    expect(unknown.of('key')).toMatchObject({ status: 'fail', todo: expect.stringContaining('keys create') });
    expect(unknown.code).toBe(1);
    const none = await doctor(at, { env: { HOLDPOINT_API_KEY: undefined } });
    expect(none.of('key')).toMatchObject({ status: 'warn', found: 'no API key' });
  });

  test('[CM6] a clock that is far from ours, and another version', async () => {
    let date = new Date(Date.now() - 10_000);
    const skewed = createServer((_, response) => {
      response.setHeader('date', date.toUTCString()).end('{"status":"ok","version":"0.0.1"}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => skewed.once('listening', resolve));
    onTestFinished(() => void skewed.close());
    const url = `http://127.0.0.1:${(skewed.address() as AddressInfo).port}`;
    const some = await doctor(['--data', folder, '--url', url]);
    expect(some.of('clock')).toMatchObject({ status: 'warn' });
    expect(some.of('version')).toMatchObject({ status: 'warn', found: expect.stringContaining('the server is 0.0.1') });
    date = new Date(Date.now() + 3_600_000);
    const far = await doctor(['--data', folder, '--url', url]);
    expect(far.of('clock')).toMatchObject({ status: 'fail', todo: expect.stringContaining('NTP') });
  });

  test('[CM6] flags that do not fit, a folder that is none, one that is open to others', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    const port = ['--port', String(await freePort())];
    const [flags, none, others] = await Promise.all([
      doctor(['--port', 'x']),
      doctor(['--data', file, ...port]),
      doctor(['--data', open, ...port]),
    ]);
    expect(flags.of('config')).toMatchObject({
      status: 'fail',
      found: '--port takes a whole number from 0 to 65535, not "x"',
    });
    expect(none.of('data')).toMatchObject({ status: 'fail', found: `${file} is not a folder` });
    expect(others.of('data')).toMatchObject({ status: 'warn', todo: `chmod 700 ${open}` });
    expect([flags.code, none.code, others.code]).toEqual([1, 1, 0]);
  });

  test('[CM6] a database that is not there, named without its password', async () => {
    const url = `postgres://me:${adminKey}@127.0.0.1:${await freePort()}/db`;
    const { of, code, checks, stderr } = await doctor(['--port', String(await freePort())], {
      env: { DATABASE_URL: url },
    });
    expect(of('database')).toMatchObject({ status: 'fail', found: expect.stringContaining('/db cannot be used: ') });
    expect(code).toBe(1);
    expect(JSON.stringify(checks) + stderr).not.toContain(adminKey);
  });
});
