import { fail, type Run } from '@holdpoint/protocol';
import { type Caller, isThreadInScope } from '../../domain/caller.ts';
import { isOpen, shownRun } from '../../domain/runs/run.ts';
import type { Context, Operation } from '../context.ts';
import { page, pageLimit } from '../perform.ts';

type Tools = Pick<Context, 'store'>;

/** A run outside the caller's scope is reported as not found. */
export async function loadRun({ store }: Tools, caller: Caller, id: string): Promise<Run> {
  const run = await store.getRun({ orgId: caller.orgId, id });
  return run && isThreadInScope(caller, run.threadId) ? run : fail('run-not-found', `There is no run ${id}.`);
}

export async function lastRun({ store }: Tools, by: { orgId: string; threadId: string }): Promise<Run | undefined> {
  const { items } = await store.listRuns({ ...by, order: 'newest', limit: 1 });
  return items[0];
}

/** A thread that lost its agent just when a run began still has an open run, and its inputs are for that run. */
export async function openRun(tools: Tools, by: { orgId: string; threadId: string }): Promise<Run | undefined> {
  const last = await lastRun(tools, by);
  return last && isOpen(last) ? last : undefined;
}

export const getRun: Operation<'getRun'> = async (context, caller, { runId }) =>
  shownRun(caller, await loadRun(context, caller, runId));

export const listRuns: Operation<'listRuns'> = async ({ store }, { orgId }, { order = 'oldest', limit, ...filter }) =>
  page(await store.listRuns({ ...filter, orgId, order, limit: pageLimit(limit) }));

export const readJournal: Operation<'readJournal'> = async (context, caller, { runId, after = 0, ...input }) => {
  const run = await loadRun(context, caller, runId);
  const limit = pageLimit(input.limit);
  const { items, next } = await context.store.readJournal({ orgId: caller.orgId, runId, after, limit });
  return { data: items, ...(next !== undefined && Number(next) < run.entries ? { next } : {}) };
};
