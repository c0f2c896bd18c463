/** Loads runs that a caller may see; what it may not see is not found. */
import { fail, type Run } from '@holdpoint/protocol';
import { type Caller, reachesThread } from '../../domain/caller.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Context } from '../context.ts';

type Tools = Pick<Context, 'store'>;

export async function loadRun({ store }: Tools, caller: Caller, id: string): Promise<Run> {
  const run = await store.getRun({ orgId: caller.orgId, id });
  return run && reachesThread(caller, run.threadId) ? run : fail('run-not-found', `There is no run ${id}.`);
}

export async function lastRun({ store }: Tools, by: { orgId: string; threadId: string }): Promise<Run | undefined> {
  const { items } = await store.listRuns({ ...by, order: 'newest', limit: 1 });
  return items[0];
}

/** A thread that has lost its agent just when a run began has one all the same, and its inputs are for that run. */
export async function openRun(tools: Tools, by: { orgId: string; threadId: string }): Promise<Run | undefined> {
  const last = await lastRun(tools, by);
  return last && isOpen(last) ? last : undefined;
}
