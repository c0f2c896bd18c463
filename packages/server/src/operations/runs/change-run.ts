/** Advance and cancel: each decides on the loaded run, and saves the outcome. */
import { type AdvanceRun, type CancelRun, defined, HoldpointError, type Run, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, type Verb } from '../../domain/caller.ts';
import { advanceRun as advance } from '../../domain/runs/advance.ts';
import { cancelRun as cancel } from '../../domain/runs/end-and-wake.ts';
import type { RunDecided } from '../../domain/runs/run.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { runChange } from './run-change.ts';
import { cancelQuestionsOf } from './run-timer.ts';
import { loadRun } from './runs.ts';

interface RunChange {
  verb: Verb;
  input: { runId: string; idempotencyKey?: string };
  /** Returns undefined if the run need not change. */
  decide(run: Run, now: number): RunDecided | undefined;
  /** Called before the run is changed, and again after a conflict. */
  prepare?(run: Run): Promise<void>;
}

function changeRun(context: Context, caller: Caller, { verb, input, decide, prepare }: RunChange): Promise<Run> {
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const before = await loadRun(context, caller, input.runId);
      const resource = { type: 'run', id: before.id } as const;
      await prepare?.(before);
      const decided = decide(before, context.clock.now());
      if (!decided) return { change: {}, resource, result: before };
      if (!decided.ok) throw new HoldpointError(decided.fault);
      return { change: await runChange(context, caller.orgId, decided, before), resource, result: decided.run };
    },
    reload: (id) => loadRun(context, caller, id),
  });
}

export function advanceRun(context: Context, caller: Caller, input: { runId: string } & AdvanceRun): Promise<Run> {
  return changeRun(context, caller, {
    verb: 'advanceRun',
    input: { runId: input.runId },
    decide: (run, now) => advance(run, { ...input, by: actorOf(caller) }, now),
  });
}

/** Cancels its questions first, so that this is done when the call returns. The end of the run cancels questions that it asks meanwhile. */
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
      if (isOpen(run) || run.status === 'cancelled') await cancelQuestionsOf(context, run, { orgId, by, reason });
    },
    decide: (run, now) => (run.status === 'cancelled' ? undefined : cancel(run, { by, ...defined({ reason }) }, now)),
  });
}
