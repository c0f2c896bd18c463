import type { AdvanceRun, Run } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { advanceRun as decide } from '../../domain/runs/advance.ts';
import type { Context } from '../context.ts';
import { changeRun } from './change-run.ts';

export function advanceRun(context: Context, caller: Caller, input: { runId: string } & AdvanceRun): Promise<Run> {
  return changeRun(context, caller, {
    verb: 'advanceRun',
    input: { runId: input.runId },
    decide: (run, now) => decide(run, { ...input, by: actorOf(caller) }, now),
  });
}
