/**
 * Makes data that later versions of the server must open: `node scripts/make-data-fixture.ts <name> [checkout]`
 * runs the server of a checkout (this one by default), makes the calls of story.ts, stops the server, and
 * stores its data in packages/server/test/stored-data/<name>, for SQLite and for PostgreSQL.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { storedRows } from '../packages/server/test/postgres/database-place.ts';
import { startPostgres } from '../packages/server/test/postgres/start-postgres.ts';
import { adminKey, tellStory } from '../packages/server/test/stored-data/story.ts';

const fixtures = fileURLToPath(new URL('../packages/server/test/stored-data/', import.meta.url));
const [name, checkout = fileURLToPath(new URL('..', import.meta.url))] = process.argv.slice(2);
if (name === undefined) throw new Error('Give the fixture a name: the commit whose code writes it.');

const root = resolve(checkout);
// The agent imports the packages of the checkout that runs it.
const agentFile = join(root, 'packages/server/test/data-fixture-agent.ts');

async function runStory(flags: string[]) {
  copyFileSync(join(fixtures, 'waiting-agent.ts'), agentFile);
  const args = ['serve', '--port', '0', '--allow-private-webhooks', '--no-demo', '--responder-rate-limit', '0'];
  const child = spawn(
    process.execPath,
    [join(root, 'packages/server/src/cli.ts'), ...args, '--agent', agentFile, ...flags],
    { env: { ...process.env, HOLDPOINT_API_KEY: adminKey }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'close');
  try {
    let printed = '';
    for await (const data of child.stdout) {
      printed += data;
      const url = /^holdpoint ready (\S+)$/m.exec(printed)?.[1];
      if (url) return { madeAt: Date.now(), ...(await tellStory(url)) };
    }
    throw new Error(`the server did not start: ${printed}`);
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(agentFile);
  }
}

function store(file: string, content: object): void {
  const bytes = gzipSync(JSON.stringify(content), { level: 9 });
  mkdirSync(join(fixtures, name ?? ''), { recursive: true });
  writeFileSync(join(fixtures, name ?? '', file), bytes);
  process.stdout.write(`${name}/${file}: ${bytes.byteLength} bytes\n`);
}

async function makeFolder(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-fixture-'));
  const story = await runStory(['--data', folder]);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = paths.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]);
  rmSync(folder, { recursive: true });
  store('sqlite.json.gz', { ...story, files: Object.fromEntries(files) });
}

async function makeDatabase(): Promise<void> {
  await using server = await startPostgres({ fsync: false });
  const story = await runStory(['--database-url', server.url]);
  store('postgres.json.gz', { ...story, tables: await storedRows(server.url) });
}

await makeFolder();
await makeDatabase();
