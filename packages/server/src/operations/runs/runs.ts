import { fail, type JournalEntry, type Page, type Run, type RunFilter } from '@holdpoint/protocol';
import { type Caller, reachesThread } from '../../domain/caller.ts';
import { shownRun } from '../../domain/runs/run.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Context } from '../context.ts';
import { authorize, page, pageLimit } from '../perform.ts';

type Tools = Pick<Context, 'store'>;

/** A run that the caller may not see is not found. */
export async function loadRun({ store }: Tools, caller: Caller, id: string): Promise<Run> {
  const run = await store.getRun({ orgId: caller.orgId, id });
  return run && reachesThread(caller, run.threadId) ? run : fail('run-not-found', `There is no run ${id}.`);
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

export async function getRun(context: Context, caller: Caller, { runId }: { runId: string }): Promise<Run> {
  authorize(caller, 'getRun');
  return shownRun(caller, await loadRun(context, caller, runId));
}

export async function listRuns({ store }: Context, caller: Caller, filter: RunFilter): Promise<Page<Run>> {
  authorize(caller, 'listRuns');
  const { order = 'oldest', limit } = filter;
  return page(await store.listRuns({ ...filter, orgId: caller.orgId, order, limit: pageLimit(limit) }));
}

export async function readJournal(
  context: Context,
  caller: Caller,
  { runId, after = 0, ...input }: { runId: string; after?: number; limit?: number },
): Promise<Page<JournalEntry>> {
  authorize(caller, 'readJournal');
  const run = await loadRun(context, caller, runId);
  const limit = pageLimit(input.limit);
  const { items, next } = await context.store.readJournal({ orgId: caller.orgId, runId, after, limit });
  return { data: items, ...(next !== undefined && Number(next) < run.entries ? { next } : {}) };
}
