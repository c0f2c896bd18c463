import type { CancelRun, Run, Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { cancelRun as decide } from '../../domain/runs/end-and-wake.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Context } from '../context.ts';
import { changeRun } from './change-run.ts';
import { withdrawQuestionsOf } from './withdraw-questions.ts';

/** Its questions first, so that they are withdrawn when this returns. What it asks meanwhile is withdrawn by its end. */
export function cancelRun(
  context: Context,
  caller: Caller,
  input: { runId: string } & CancelRun & Write,
): Promise<Run> {
  const { reason } = input;
  const by = actorOf(caller);
  const { orgId } = caller;
  return changeRun(context, caller, {
    verb: 'cancelRun',
    input,
    prepare: async (run) => {
      if (isOpen(run) || run.status === 'cancelled') await withdrawQuestionsOf(context, run, { orgId, by, reason });
    },
    decide: (run, now) =>
      run.status === 'cancelled' ? undefined : decide(run, { by, ...(reason === undefined ? {} : { reason }) }, now),
  });
}
