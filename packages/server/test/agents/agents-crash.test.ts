import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serversOfATest } from '../servers-of-a-test.ts';
import { answer, journalOf, pendingOf, saidIn, settled, startThread } from './agent-client.ts';

const servers = serversOfATest();
const file = fileURLToPath(new URL('examples/ten-questions.ts', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-effects-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('[DA1] an agent that asks ten questions finishes though the server is killed after each', async () => {
  const effects = join(folder, 'effects');
  const start = () => servers.start({ args: ['--agent', file], env: { EFFECTS_FILE: effects } });
  let server = await start();
  const threadId = await startThread(server.admin, 'ten-questions');
  for (let n = 1; n <= 10; n++) {
    // A batch that was leased when its worker died is ready again when the lease ends.
    await expect
      .poll(async () => (await pendingOf(server.admin, threadId)).map(({ title }) => title), { timeout: 30_000 })
      .toEqual([`Question ${n}`]);
    const [question] = await pendingOf(server.admin, threadId);
    await server.kill('SIGKILL');
    server = await start();
    await answer(server.admin, question ?? { id: '' }, { reply: `answer ${n}` });
    await server.kill('SIGKILL');
    server = await start();
  }
  const run = await settled(server.admin, threadId);
  expect(run).toMatchObject({
    status: 'completed',
    result: Array.from({ length: 10 }, (_, index) => `answer ${index + 1}`),
  });
  const journal = await journalOf(server.admin, run);
  const steps = journal.filter(({ type, state }) => type === 'step' && state === 'done');
  expect(steps.map(({ data }) => data)).toEqual(Array.from({ length: 10 }, (_, index) => ({ value: index + 1 })));
  expect(await saidIn(server.admin, threadId)).toEqual(Array.from({ length: 10 }, (_, index) => `Heard ${index + 1}`));
  // Done at least once, under a key by which whoever it is done to does it once.
  const done = (await readFile(effects, 'utf8')).trim().split('\n');
  expect(new Set(done).size).toBe(10);
}, 300_000);
