/**
 * Kills the server with SIGKILL at random moments while durable runs are active. `KILL_ROUNDS=100` sets how often; every
 * round begins two more runs.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Interaction, LogEvent, Message, Page, Run } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client.ts';
import { EventReader } from '../http/events/event-reader.ts';
import { serversOfATest } from '../servers-of-a-test.ts';
import { answer, journalOf, pendingOf, settled, startThread } from './agent-client.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 5);
const runsPerRound = 2;
/** Fewer than the runs that a round begins commit, so that every round reaches its kill. */
const mostEvents = 40;

const servers = serversOfATest();
const file = fileURLToPath(new URL('examples/busy.ts', import.meta.url));
const below = (limit: number) => Math.floor(Math.random() * limit);

const valuesFor = ({ kind, title, threadId }: Pick<Interaction, 'kind' | 'title' | 'threadId'>) =>
  kind === 'approval' ? { decision: 'allow' } : { reply: `${title} of ${threadId}` };

/** Answers a question. The server may die meanwhile; the next round answers what is still pending. */
const tryToAnswer = (admin: Client, asked: Interaction) =>
  answer(admin, asked, valuesFor(asked)).catch(() => undefined);

/** Answers every question as it comes, until a random number of events has been committed; then kills the server. */
async function workUntilKilled(start: () => ReturnType<typeof servers.start>): Promise<string[]> {
  const server = await start();
  const reader = await EventReader.open(server.admin);
  const begun: string[] = [];
  for (let n = 0; n < runsPerRound; n++) begun.push(await startThread(server.admin, 'busy'));
  const { body } = await server.admin.get<Page<Interaction>>('/v1/interactions?status=pending&limit=200');
  const answering = body.data.map((asked) => tryToAnswer(server.admin, asked));
  for (let left = 1 + below(mostEvents); left > 0; left--) {
    const [event] = await reader.take(1);
    if (event?.type === 'interaction.created')
      answering.push(tryToAnswer(server.admin, event.data.interaction as Interaction));
  }
  for (let turns = below(200); turns > 0; turns--) await setImmediate();
  await server.kill('SIGKILL');
  servers.running.delete(server);
  await Promise.all([...answering, reader.ended]);
  return begun;
}

async function finish(admin: Client, threadId: string): Promise<Run> {
  for (;;) {
    const run = await settled(admin, threadId);
    if (run.status !== 'waiting' && run.status !== 'running') return run;
    for (const asked of await pendingOf(admin, threadId)) await tryToAnswer(admin, asked);
  }
}

async function logOf(admin: Client, threadId: string): Promise<LogEvent[]> {
  return (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log?limit=200`)).body.data;
}

test(`[DA1] [DA4] ${rounds} rounds of kill -9 while runs are active: each message, question and result once`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-effects-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const effectsFile = join(folder, 'effects');
  const start = () => servers.start({ args: ['--agent', file], env: { EFFECTS_FILE: effectsFile } });
  const threads: string[] = [];
  for (let round = 0; round < rounds; round++) threads.push(...(await workUntilKilled(start)));

  const { admin } = await start();
  const effects = new Map<string, string[]>();
  const runs = await Promise.all(threads.map((threadId) => finish(admin, threadId)));
  for (const line of (await readFile(effectsFile, 'utf8')).trim().split('\n')) {
    const [key = '', value = ''] = line.split(' ');
    effects.set(key, [...(effects.get(key) ?? []), value]);
  }
  // Every attempt of a step had the key of its step.
  expect(effects.size).toBe(threads.length * 3);
  const isTried = (value: unknown) =>
    [...effects.values()].filter((tried) => tried.includes(String(value))).length === 1;

  for (const [index, threadId] of threads.entries()) {
    const run = runs[index] as Run;
    const reply = (part: string) => valuesFor({ kind: 'form', title: `Question ${part}`, threadId }).reply;
    const uuid = expect.any(String);
    expect(run).toMatchObject({
      status: 'completed',
      result: {
        parts: [
          [uuid, reply('a')],
          [uuid, reply('b')],
        ],
        pieces: 2,
        approved: true,
        last: uuid,
      },
    });

    const log = await logOf(admin, threadId);
    const asked = log.flatMap(({ data }) => ('interaction' in data ? [data.interaction] : []));
    expect(asked.map(({ title }) => title).sort()).toEqual([...['Finish?', 'Question a', 'Question b']]);
    expect(log.filter(({ type }) => type === 'interaction.answered')).toHaveLength(3);

    const { body } = await admin.get<Page<Message>>(`/v1/threads/${threadId}/messages?limit=200`);
    const said = body.data.filter(({ role, state }) => role !== 'user' && state === undefined);
    expect(said.map(({ blocks }) => blocks[0]?.payload.text).sort()).toEqual([
      ...['Finished', 'Heard a', 'Heard b', 'Started', 'Streamed to the end'],
    ]);
    // A stream that a crash cut short is cancelled, and nothing is left open.
    expect(body.data.filter(({ state }) => state !== undefined && state !== 'cancelled')).toEqual([]);

    const ends = (await journalOf(admin, run)).filter(({ state }) => state !== 'begun');
    expect(new Set(ends.map(({ call }) => call)).size).toBe(ends.length);
    const results = ends.filter(({ type }) => type === 'step').map(({ data }) => (data as { value: unknown }).value);
    const { parts, last } = run.result as { parts: [string, string][]; last: string };
    expect(new Set(results)).toEqual(new Set([...parts.map(([value]) => value), last]));
    expect(results).toHaveLength(3);
    expect(results.every(isTried)).toBe(true);
  }
}, 3_600_000);
