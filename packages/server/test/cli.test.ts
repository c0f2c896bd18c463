/** The command line: its output on stdout and stderr, and its exit codes. */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Client } from './client.ts';
import { newPlace } from './new-place.ts';
import { type Run, runCommand } from './run-command.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import { cli, serveCommand } from './spawned-server.ts';
import { adminKey } from './test-server.ts';

const servers = serversOfATest();
const { start } = servers;

const holdpoint = (...args: string[]): string[] => [process.execPath, cli, ...args];

/** Starts a server, waits for the ready line, and stops it. */
const startAndStop = (env: Record<string, string | undefined>): Promise<Run> =>
  runCommand(serveCommand(servers.place), env, ({ stdout }, kill) => {
    if (stdout.includes('holdpoint ready')) kill('SIGTERM');
  });

describe('starting', () => {
  test('prints the ready line and nothing else on stdout, and logs on stderr', async () => {
    const { stdout, stderr, code } = await runCommand(
      serveCommand(servers.place, ['--log-level', 'info']),
      undefined,
      ({ stdout }, kill) => {
        if (stdout.includes('\n')) kill('SIGTERM');
      },
    );
    expect(stdout).toMatch(/^holdpoint ready http:\/\/127\.0\.0\.1:\d+\n[^\n]*\/#\/sign-in\/[\w-]+\n$/);
    for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
    expect(code).toBe(0);
  });

  test('[LP1] prints the address of links if it listens on every address and has no public URL', async () => {
    const start = (...more: string[]) =>
      runCommand(serveCommand(servers.place, ['--host', '0.0.0.0', ...more]), undefined, ({ stdout }, kill) => {
        if (stdout.includes('ready')) kill('SIGTERM');
      });
    const words =
      /^holdpoint: links point to http:\/\/127\.0\.0\.1:\d+, which works only on this machine; set --public-url$/m;
    expect((await start()).stderr).toMatch(words);
    expect((await start('--public-url', 'https://holdpoint.example.com')).stderr).not.toMatch(words);
  });

  test('[X1] HOLDPOINT_API_KEY is the admin key, and no key is printed', async () => {
    const { admin } = await start();
    expect((await admin.post('/v1/threads', { id: 'one' })).status).toBe(201);
    expect((await admin.get('/v1/keys')).status).toBe(200);
    expect((await admin.as('another-key').get('/v1/threads/one')).status).toBe(401);
  });

  test.each([
    ['a warning if others can reach it', 'fifteen-letters', ['--public-url', 'https://holdpoint.example.com'], true],
    ['no warning if nobody else can reach it', 'fifteen-letters', [], false],
    ['it is long enough, is not', 'sixteen-letters!', ['--public-url', 'https://holdpoint.example.com'], false],
  ])('[X1] a configured key: %s', async (_where, key, flags, isWarnedOf) => {
    const command = serveCommand(servers.place, flags);
    const { stdout, stderr } = await runCommand(command, { HOLDPOINT_API_KEY: key }, ({ stdout }, kill) => {
      if (stdout.includes('holdpoint ready')) kill('SIGTERM');
    });
    expect(stdout).toMatch(/^holdpoint ready \S+\n/);
    expect(stderr).toMatch(isWarnedOf ? /^holdpoint: HOLDPOINT_API_KEY has fewer than 16 characters.*\n$/ : /^$/);
    expect(stderr).not.toContain(key);
  });

  test('[X1][X5] without a configured key the first start prints one that works, and later starts none', async () => {
    const none = { HOLDPOINT_API_KEY: undefined };
    const first = await startAndStop(none);
    const printed = /^holdpoint admin key, shown only once: (\S+)\nholdpoint ready \S+\n.*\/#\/sign-in\/\S+\n$/.exec(
      first.stdout,
    );
    expect(printed).not.toBeNull();
    expect(first.stderr).toBe('');
    const second = await startAndStop(none);
    expect(second.stdout).toMatch(/^holdpoint ready \S+\n.*sign-in/);
    const { url } = await start({ env: none });
    expect((await new Client(url, printed?.[1]).post('/v1/threads', { id: 'one' })).status).toBe(201);
  });

  test('[X5] a first start that fails does not use up the key, which nobody has seen', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const failed = await runCommand(serveCommand(servers.place, ['--port', String(port)]), {});
    blocker.close();
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect((await startAndStop({})).stdout).toContain('holdpoint admin key, shown only once: ');
  });

  test('[X1] a changed HOLDPOINT_API_KEY stops the old one', async () => {
    const before = await start();
    await before.admin.post('/v1/threads', { id: 'one' });
    await before.kill('SIGTERM');
    const { admin } = await start({ env: { HOLDPOINT_API_KEY: 'a-new-admin-key' } });
    expect((await admin.get('/v1/threads/one')).status).toBe(401);
    expect((await admin.as('a-new-admin-key').get('/v1/threads/one')).status).toBe(200);
  });

  test('--help lists the commands, and exits 0', async () => {
    const { stdout, stderr, code } = await runCommand(holdpoint('serve', '--help'));
    expect(stdout).toMatch(/^holdpoint serve \[flags\]/);
    for (const flag of ['--port', '--host', '--data', 'HOLDPOINT_API_KEY']) expect(stdout).toContain(flag);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });
});

describe('a mistake of the caller is one line on stderr and exit 2', () => {
  test('an invalid command, flag, key or address', async () => {
    const refused: [string[], string, string?][] = [
      [['sreve'], 'there is no command "sreve"; see holdpoint --help'],
      [['serve', '--port', '-1'], "Option '--port' argument is ambiguous"],
      [['serve'], 'HOLDPOINT_API_KEY must be 1 to 512 printable characters without spaces', 'two words'],
      [
        ['serve', '--port', '0', ...servers.place.flags, '--host', '192.0.2.1'],
        '--host 192.0.2.1 is not an address of this machine',
      ],
    ];
    const runs = refused.map(([args, , key]) => runCommand(holdpoint(...args), { HOLDPOINT_API_KEY: key ?? adminKey }));
    for (const [index, { stdout, stderr, code }] of (await Promise.all(runs)).entries())
      expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `holdpoint: ${refused[index]?.[1]}\n`, code: 2 });
  });

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { stdout, stderr, code } = await runCommand(serveCommand(servers.place, ['--port', String(port)]));
    other.close();
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: `holdpoint: port ${port} is in use. Stop the other program, or choose another port with --port\n`,
      code: 2,
    });
  });
});

describe('unexpected errors', () => {
  const failing = (code: string) => ({
    HOLDPOINT_API_KEY: adminKey,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`,
  });

  test('an exception or a rejection is one line on stderr and exit 1', async () => {
    const thrown = ["throw new Error('boom')", "Promise.reject(new Error('boom'))", "throw 'boom'"];
    const runs = thrown.map(async (code) => {
      await using place = await newPlace();
      return await runCommand(serveCommand(place), failing(code), ({ stdout, stderr }, kill) => {
        if (stdout.includes('ready') && stderr === '') kill('SIGUSR2');
      });
    });
    for (const { stderr, code, signal } of await Promise.all(runs)) {
      expect({ code, signal }).toEqual({ code: 1, signal: null });
      expect(stderr).toMatch(/^holdpoint: (Error: boom at .+|boom)\n$/);
    }
  });

  test('[S1] a closed stderr does not stop it', async () => {
    const server = await start({ args: ['--log-level', 'debug'] });
    server.process.stderr?.destroy();
    for (let call = 0; call < 20; call++) expect((await server.admin.get('/healthz')).status).toBe(200);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
