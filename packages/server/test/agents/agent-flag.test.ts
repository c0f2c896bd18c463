/** Agents in the server's own process, and in a process that may be killed. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.ts';
import { serversOfATest } from '../servers-of-a-test.ts';
import { serveCommand } from '../spawned-server.ts';
import { adminKey, startTestServer } from '../test-server.ts';
import { answer, pendingOf, saidIn, settled, startThread } from './agent-client.ts';

const servers = serversOfATest();
const exampleFile = (name: string) => fileURLToPath(new URL(`examples/${name}.ts`, import.meta.url));
const week = 7 * 24 * 3_600_000;

test('[DA1] [DA12] a sleep of ten weeks goes on after a restart, by the clock of the server', async () => {
  await using server = await startTestServer({ agentFiles: [exampleFile('sleeper')] });
  const threadId = await startThread(server.admin, 'sleeper');
  expect(await settled(server.admin, threadId)).toMatchObject({ status: 'waiting', waitingFor: [{ type: 'time' }] });
  server.clock.offsetMs += 9 * week;
  await server.restart();
  expect(await settled(server.admin, threadId)).toMatchObject({ status: 'waiting' });
  server.clock.offsetMs += week;
  await expect.poll(() => saidIn(server.admin, threadId), { timeout: 20_000 }).toEqual(['Good morning']);
  const { status, result } = await settled(server.admin, threadId);
  expect({ status, isLater: Number(result) >= 10 * week }).toEqual({ status: 'completed', isLater: true });
});

test('[DA12] --agent runs what a file exports, in the name of the agent', async () => {
  await using server = await startTestServer({ agentFiles: [exampleFile('ten-questions'), exampleFile('sleeper')] });
  const threadId = await startThread(server.admin, 'ten-questions');
  await settled(server.admin, threadId);
  const [question] = await pendingOf(server.admin, threadId);
  expect(question).toMatchObject({ title: 'Question 1', createdBy: { type: 'agent', id: 'agent:ten-questions' } });
});

describe('a mistake', () => {
  const tried = async (source: string, name = 'agent.ts') => {
    const folder = await mkdtemp(join(tmpdir(), 'holdpoint-agent-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, name);
    if (source !== '') await writeFile(file, source);
    const run = await runCommand(serveCommand(servers.place, ['--agent', file]));
    return { ...run, stderr: run.stderr.replaceAll(file, 'FILE') };
  };

  test.each([
    ['a file that is not there', '', /^holdpoint: --agent FILE cannot be loaded: Cannot find module .*\n$/],
    ['one that throws', 'throw new Error("oh\\nno")', /^holdpoint: --agent FILE cannot be loaded: oh\n$/],
    [
      'one without an agent',
      'export const a = 1',
      /^holdpoint: --agent FILE must export an agent, or a list of agents as its default\n$/,
    ],
    ['a default that is none', 'export default [{ name: "a" }]', /must export an agent/],
    [
      'two of a name',
      'const a = { name: "a", run() {} }; export default [a, a]',
      /^holdpoint: --agent: two agents are named "a"\n$/,
    ],
  ])('[DA12] is one line and exit code 2: %s', async (_, source, message) => {
    const { code, stdout, stderr } = await tried(source);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

test('[DA10] a worker in another process that is killed is taken over from by the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-effects-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await servers.start();
  const start = async () => {
    const args = [exampleFile('remote-worker'), server.url, adminKey, exampleFile('ten-questions')];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, EFFECTS_FILE: join(folder, 'effects') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    servers.running.add(child);
    return child;
  };
  const first = await start();
  const threadId = await startThread(server.admin, 'ten-questions');
  await settled(server.admin, threadId);
  first.kill('SIGKILL');
  for (let n = 1; n <= 10; n++) {
    const [question] = await pendingOf(server.admin, threadId);
    await answer(server.admin, question ?? { id: '' }, { reply: `${n}` });
    if (n === 1) await start();
    await settled(server.admin, threadId);
  }
  expect(await settled(server.admin, threadId)).toMatchObject({
    status: 'completed',
    result: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  });
});
