/** The guide of the client, from top to bottom, as one program. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Holdpoint } from '@holdpoint/client';
import type { FreeObject } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { adminKey, startTestServer } from '../test-server.ts';

const guide = readFileSync(new URL('../../../../docs/guides/client.md', import.meta.url), 'utf8');
const program = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, source]) => source).join('\n');
const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** What the person says to each of its questions. */
const answers: Record<string, FreeObject> = {
  'Deploy where?': { env: 'staging' },
  'When?': { choice: 'tonight' },
  'Refund order 7?': { decision: 'allow', amount: 15 },
};

test('[CL1][CL5][CL7] the guide runs as it stands there', async () => {
  await using server = await startTestServer();
  const hp = new Holdpoint({ url: server.url, key: adminKey });
  const { secret: agentKey = '' } = await hp.createApiKey({ name: 'guide', role: 'agent' });
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-guide-'));
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'guide.mts'), program);
  const env = { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: adminKey, HOLDPOINT_AGENT_KEY: agentKey };
  const child = spawn(process.execPath, [join(folder, 'guide.mts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = new AbortController();
  onTestFinished(() => {
    stop.abort();
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const person = async () => {
    const filter = { types: ['interaction.created'], after: 'start', signal: stop.signal } as const;
    for await (const { interactionId = '', data } of hp.events(filter)) {
      const values = 'interaction' in data ? answers[data.interaction.title] : undefined;
      if (values) await hp.answer(interactionId, values);
    }
  };
  const answering = person();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (piece) => {
      printed[name] += piece;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  stop.abort();
  await answering;
  expect({ code, stderr: printed.stderr }).toEqual({ code: 0, stderr: '' });
  const lines = printed.stdout.trim().split('\n');
  expect(lines.slice(0, 3)).toEqual(['staging', 'tonight', 'true true { order: 7, amount: 15 }']);
  expect(lines).toContain('Anything to note? cancelled');
  expect(lines.at(-2)).toMatch(/^http:\S+\/a\/\S+$/);
  expect(lines.at(-1)).toBe('400');
});
