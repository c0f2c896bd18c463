import type { Run } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { shownRun } from '../../domain/runs/shown-run.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadRun } from './load-run.ts';

export async function getRun(context: Context, caller: Caller, { runId }: { runId: string }): Promise<Run> {
  authorize(caller, 'getRun');
  return shownRun(caller, await loadRun(context, caller, runId));
}
