import { setTimeout } from 'node:timers/promises';
import { defined, type LogEvent } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { SearchedLogs } from './searched-logs.ts';
import { waitForTurn } from './wait-for-turn.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'agent' };

/** A thread without runs, with these events in its log. */
function threadWith(types: LogEvent['type'][], role = 'user') {
  const reads: number[] = [];
  const log = types.map((type, index) => ({ type, seq: index + 1, data: { message: { role } } }));
  const context = {
    store: {
      getThread: async () => ({ id: 't', agent: 'helper' }),
      listRuns: async () => ({ items: [] }),
      async readLog({ after, limit }: { after: number; limit: number }) {
        reads.push(after);
        // Later than the end of a wait without time, whose timer was set earlier.
        await setTimeout(1);
        const items = log.slice(after, after + limit);
        return { items, ...(items.length === limit ? { next: String(items.at(-1)?.seq) } : {}) };
      },
    },
    waits: { add: () => {}, remove: () => {} },
    searchedLogs: new SearchedLogs(),
  } as unknown as Context;
  const look = async (timeoutMs = 0, signal?: AbortSignal) =>
    (await waitForTurn(context, caller, { threadId: 't', timeoutMs, ...defined({ signal }) })).isSettled;
  return { log, reads, look };
}

const times = <T>(count: number, type: T): T[] => Array.from({ length: count }, () => type);

test('[RU14] a search skips answers that began no run, page by page', async () => {
  const answers = times(1_000, 'interaction.answered' as const);
  const answered = threadWith(answers);
  expect(await answered.look()).toBe(true);
  expect(answered.reads.length).toBeLessThan(10);
  expect(await threadWith([...answers, 'message.created']).look()).toBe(false);
});

test('[RU14] one search of a long log reads a part of it, and the next search continues there', async () => {
  const { log, reads, look } = threadWith(times(5_000, 'message.created' as const), 'agent');
  expect(await look()).toBe(false);
  expect(reads).toHaveLength(10);
  expect(await look()).toBe(false);
  expect(reads[10]).toBe(1_816);
  expect(await look()).toBe(true);
  const before = reads.length;
  expect(await look()).toBe(true);
  expect(reads.slice(before)).toEqual([5_000]);
  log.push({ type: 'message.created', seq: 5_001, data: { message: { role: 'user' } } });
  expect(await look()).toBe(false);
});

test('[RU14] a wait searches a long log to its end, unless its caller leaves', async () => {
  const messages = times(5_000, 'message.created' as const);
  expect(await threadWith(messages, 'agent').look(10_000)).toBe(true);
  const left = threadWith(messages, 'agent');
  expect(await left.look(10_000, AbortSignal.abort())).toBe(false);
  expect(left.reads).toHaveLength(10);
});
