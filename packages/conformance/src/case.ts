/** A case, and the assertions that cases share. */

import { deepStrictEqual } from 'node:assert/strict';
import type { Reply, World } from './world.ts';

export const suites = [
  'native',
  'chat-requests',
  'chat-requests-beyond',
  'input-requests',
  'mcp',
  'agent-service',
  'blocks',
  'cross',
] as const;
export type Suite = (typeof suites)[number];

export interface Case {
  suite: Suite;
  name: string;
  run(world: World): Promise<void>;
}

/** Cases of one suite, from a table of names. */
export const casesOf = (suite: Suite, table: Record<string, Case['run']>): Case[] =>
  Object.entries(table).map(([name, run]) => ({ suite, name, run }));

/** Compares only the expected properties of objects, and every entry of lists. */
export function expectLike(actual: unknown, expected: unknown, what = 'it'): void {
  deepStrictEqual(pick(actual, expected), expected, `${what} is ${shown(actual)}, expected ${shown(expected)}`);
}

export function expectStatus(reply: Reply, status: number): void {
  if (reply.status !== status) throw new Error(`status ${reply.status}, expected ${status}: ${shown(reply.body)}`);
}

export function expectReply(reply: Reply, status: number, body: unknown): void {
  expectStatus(reply, status);
  expectLike(reply.body, body, 'the body');
}

function pick(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((entry, index) => (index < expected.length ? pick(entry, expected[index]) : entry));
  if (!isObject(expected) || !isObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(expected)
      .filter(([name]) => name in actual)
      .map(([name, value]) => [name, pick(actual[name], value)]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 600) ?? 'undefined';

export interface TurnOfCase {
  threadId: string;
  runId: string;
}

/**
 * Plays the agent for one turn: claims the batch, runs the work, and leaves the run with its outcome, waiting or ended. The
 * sender of the message waits for the turn at the same time.
 */
export async function workTurn(
  world: World,
  agent: string,
  work: (turn: TurnOfCase) => Promise<Record<string, unknown>>,
): Promise<TurnOfCase> {
  const workerId = `conformance-${crypto.randomUUID()}`;
  const { data } = await world.made('/v1/dispatch/claim', { workerId, agents: [agent], waitMs: 20_000, limit: 1 });
  const [batch] = data;
  if (!batch) throw new Error(`no batch for the agent ${agent} within 20 s`);
  const { run } = await world.made(`/v1/dispatch/batches/${batch.id}/run`, { workerId });
  const turn = { threadId: run.threadId, runId: run.id };
  const outcome = await work(turn);
  await world.made(`/v1/runs/${run.id}/advance`, { expectedVersion: run.version, ...outcome });
  await world.made(`/v1/dispatch/batches/${batch.id}/complete`, { workerId });
  return turn;
}
