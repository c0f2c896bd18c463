import type { JournalEntry, Page } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize, pageLimit } from '../perform.ts';
import { loadRun } from './load-run.ts';

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
