/** An agent on three nodes: answers come to any of them, and each dies in the middle. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Interaction, JournalEntry, Page, Run, Thread, Turn } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabasePlace } from '../database-place.ts';
import { startCluster } from './cluster.ts';

const file = fileURLToPath(new URL('../../agents/examples/ten-questions.ts', import.meta.url));
const threadCount = 3;

test('[DA1] [DA11] ten questions, answered at any of three nodes while the nodes are killed, are each gone on from once', async () => {
  const place = await newDatabasePlace();
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-effects-'));
  const effects = join(folder, 'effects');
  const env = { EFFECTS_FILE: effects };
  const cluster = await startCluster({ url: `${place.config.databaseUrl}`, size: 3, args: ['--agent', file], env });
  onTestFinished(async () => {
    await cluster[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
    await place[Symbol.asyncDispose]();
  });

  const nextQuestion = async (threadId: string, title: string): Promise<Interaction> => {
    const path = `/v1/interactions?threadId=${threadId}&status=pending`;
    const pending = async () => (await cluster.call<Page<Interaction>>(path)).body.data;
    await expect.poll(async () => (await pending()).map((each) => each.title), { timeout: 60_000 }).toEqual([title]);
    const [question] = await pending();
    return question as Interaction;
  };

  async function converse(id: string): Promise<void> {
    await cluster.call<Thread>('/v1/threads', { body: { id, agent: 'ten-questions' }, key: id });
    await cluster.call(`/v1/threads/${id}/messages`, {
      body: { text: 'Go', role: 'user' },
      key: `${id} go`.replace(' ', '-'),
    });
    for (let n = 1; n <= 10; n++) {
      const question = await nextQuestion(id, `Question ${n}`);
      const body = { values: { reply: `${id} ${n}` } };
      await cluster.call(`/v1/interactions/${question.id}/answers`, { body, key: `${id}-${n}` });
      await cluster.nodes[n % 3]?.killAndRestart();
    }
  }

  const threads = Array.from({ length: threadCount }, (_, index) => `thread-${index}`);
  await Promise.all(threads.map(converse));
  for (const id of threads) {
    const turn = async () => (await cluster.call<Turn>(`/v1/threads/${id}/turn`)).body;
    await expect.poll(async () => (await turn()).isSettled, { timeout: 60_000 }).toBe(true);
    const run = (await turn()).run as Run;
    const result = Array.from({ length: 10 }, (_, index) => `${id} ${index + 1}`);
    expect(run).toMatchObject({ status: 'completed', result });
    const { body } = await cluster.call<Page<JournalEntry>>(`/v1/runs/${run.id}/journal?limit=200`);
    const ended = body.data.filter(({ state }) => state === 'done').map(({ type, name }) => `${type} ${name}`);
    expect(ended).toEqual(
      Array.from({ length: 10 }, (_, index) => [
        `ask question ${index + 1}`,
        `step effect ${index + 1}`,
        'say ',
      ]).flat(),
    );
  }
  const done = (await readFile(effects, 'utf8')).trim().split('\n');
  expect(new Set(done).size).toBe(10 * threadCount);
}, 300_000);
