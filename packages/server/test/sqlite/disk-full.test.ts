/** A full disk: the real one, with a limit on the size of files that is lifted while the server runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Interaction } from '@holdpoint/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Reply } from '../client.ts';
import type { DataPlace } from '../data-place.ts';
import { readLog } from '../read-everything.ts';
import { type SpawnedServer, serveCommand, spawnServer } from '../spawned-server.ts';
import { adminKey } from '../test-server.ts';
import { newFolderPlace } from './folder-place.ts';

let place: DataPlace;
let folder: string;
let server: SpawnedServer | undefined;

beforeEach(() => {
  place = newFolderPlace();
  folder = place.config.dataFolder;
});

afterEach(async () => {
  await server?.kill('SIGKILL');
  server = undefined;
  chmodSync(folder, 0o700);
  await place[Symbol.asyncDispose]();
});

interface ProblemBody {
  id: string;
  code: string;
  retryable: boolean;
}

const startWithin = (kilobytes: number): Promise<SpawnedServer> =>
  spawnServer({
    place,
    args: ['--log-level', 'silent'],
    wrap: (command) => ['bash', '-c', `ulimit -S -f ${kilobytes}; exec "$@"`, 'bash', ...command],
  });

/** Limits the size of files to this number of bytes, from now on. */
function limitFiles({ process }: SpawnedServer, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}

const text = 'x'.repeat(20_000);

const say = ({ admin }: SpawnedServer, name: string): Promise<Reply<ProblemBody>> =>
  admin.post<ProblemBody>('/v1/threads/one/messages', { text: `${name} ${text}` }, { 'idempotency-key': name });

/** Posts until a call is refused. Returns the acknowledged names, and the refusal. */
async function fill(full: SpawnedServer): Promise<{ said: string[]; refused: string; refusal: Reply<ProblemBody> }> {
  const said: string[] = [];
  while (true) {
    const names = Array.from({ length: 8 }, (_, index) => `m${said.length + index}`);
    const replies = await Promise.all(names.map((name) => say(full, name)));
    said.push(...names.filter((_, index) => replies[index]?.status === 201));
    const refused = replies.findIndex(({ status }) => status !== 201);
    const refusal = replies[refused];
    if (refusal) return { said, refused: `${names[refused]}`, refusal };
  }
}

const spoken = async ({ admin }: SpawnedServer): Promise<string[]> =>
  (await readLog(admin, 'one'))
    .filter(({ type }) => type === 'message.created')
    .map(({ data }) => JSON.stringify(data).match(/"text":"(\w+) /)?.[1] ?? '');

test('[S3][S1][I3] with a full disk the server refuses writes, serves reads, and accepts writes again once there is space', async () => {
  server = await startWithin(1_500);
  const { admin } = server;
  await admin.post('/v1/threads', { id: 'one' });
  const { body: asked } = await admin.post<Interaction>('/v1/threads/one/interactions', { title: 'Go on?' });
  const { said, refused, refusal } = await fill(server);

  expect(said.length).toBeGreaterThan(0);
  expect(refusal.status).toBe(503);
  expect(refusal.body).toMatchObject({ code: 'storage-unavailable', retryable: true });
  expect(refusal.headers.get('content-type')).toContain('application/problem+json');
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);

  const path = `/v1/interactions/${asked.id}`;
  const answering = () =>
    admin.post<ProblemBody & Interaction>(`${path}/answers`, { values: { text } }, { 'idempotency-key': 'answer' });
  expect((await answering()).body.code).toBe('storage-unavailable');
  expect((await admin.get<Interaction>(path)).body).toEqual(asked);
  expect((await spoken(server)).sort()).toEqual(said.sort());
  expect((await admin.get('/healthz')).status).toBe(200);
  // There is not even room for the small write of the readiness check.
  limitFiles(server, 4_096);
  expect((await admin.get('/readyz')).status).toBe(503);

  limitFiles(server, 'unlimited');
  expect((await admin.get('/readyz')).status).toBe(200);
  expect((await say(server, refused)).status).toBe(201);
  expect((await answering()).body.status).toBe('answered');
  const all = [...said, refused].sort();
  expect((await spoken(server)).sort()).toEqual(all);

  await server.kill('SIGKILL');
  server = await spawnServer({ place });
  expect((await spoken(server)).sort()).toEqual(all);
  expect((await server.admin.get<Interaction>(path)).body.version).toBe(2);
  const log = await readLog(server.admin, 'one');
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
});

test('[S3][W1] a wait continues while the disk is full', async () => {
  server = await spawnServer({ place, args: ['--log-level', 'silent'] });
  const { admin } = server;
  await admin.post('/v1/threads', { id: 'one' });
  const { body: asked } = await admin.post<Interaction>('/v1/threads/one/interactions', { title: 'Go on?' });
  const waiting = admin.get<Interaction>(`/v1/interactions/${asked.id}/wait?timeoutMs=60000`);
  const answer = () => admin.post<ProblemBody>(`/v1/interactions/${asked.id}/answers`, { values: { text: 'yes' } });
  limitFiles(server, 1);
  expect((await answer()).status).toBe(503);
  limitFiles(server, 'unlimited');
  expect((await answer()).status).toBe(200);
  expect((await waiting).body.status).toBe('answered');
});

test('[S3][D4] a deadline that comes while the disk is full fires once there is space', async () => {
  server = await spawnServer({ place, args: ['--log-level', 'silent'] });
  const { admin } = server;
  await admin.post('/v1/threads', { id: 'one' });
  const at = new Date(Date.now() + 2_000).toISOString();
  const { body: asked } = await admin.post<Interaction>('/v1/threads/one/interactions', {
    title: 'Go on?',
    deadline: { at, outcome: 'expire' },
  });
  limitFiles(server, 1);
  const path = `/v1/interactions/${asked.id}`;
  const answer = () => admin.post<ProblemBody>(`${path}/answers`, { values: { text } });
  await expect.poll(async () => (await answer()).body.code, { timeout: 30_000 }).toBe('interaction-expired');
  expect((await admin.get<Interaction>(path)).body.status).toBe('pending');
  const waiting = admin.get<Interaction>(`${path}/wait?timeoutMs=60000`);
  limitFiles(server, 'unlimited');
  expect((await waiting).body).toMatchObject({ status: 'expired', version: 2 });
});

/** Root may write anywhere. Without this capability, permissions apply to it too. */
const obeyPermissions = (command: string[]): string[] =>
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', ...command] : command;

function failToStart({ flags }: Pick<DataPlace, 'flags'> = place): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  const [command = '', ...args] = obeyPermissions(serveCommand({ flags }));
  const env = { ...process.env, HOLDPOINT_API_KEY: adminKey };
  return spawnSync(command, args, { env, encoding: 'utf8', timeout: 30_000 });
}

test('[S3] a data folder that may not be written is refused with one line that names it', () => {
  chmodSync(folder, 0o500);
  const { status, stdout, stderr } = failToStart();
  expect(stderr).toMatch(new RegExp(`^holdpoint: the data folder ${folder} cannot be used: .+\n$`));
  expect(stdout).toBe('');
  expect(status).toBe(2);
});

test('[S3] a data folder that has become read-only is refused with one line, and stays the same', async () => {
  server = await spawnServer({ place });
  await server.admin.post('/v1/threads', { id: 'one' });
  await server.kill('SIGTERM');
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o400);
  chmodSync(folder, 0o500);
  const { status, stderr } = failToStart();
  expect(stderr).toMatch(new RegExp(`^holdpoint: the data folder ${folder} cannot be used: .+\n$`));
  expect(status).toBe(2);

  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
  server = await spawnServer({ place });
  expect((await server.admin.get('/v1/threads/one')).status).toBe(200);
});

test('[S3] a data folder that cannot be created is refused with one line that names it', () => {
  mkdirSync(join(folder, 'closed'), { mode: 0o500 });
  const { status, stderr } = failToStart({ flags: ['--data', join(folder, 'closed', 'data')] });
  expect(stderr).toMatch(/^holdpoint: the data folder .+\/closed\/data cannot be used: .*permission denied.*\n$/);
  expect(status).toBe(2);
});
