/** What advance and cancel share: decide on the loaded run, and save the outcome. */
import { HoldpointError, type Run } from '@holdpoint/protocol';
import type { Caller, Verb } from '../../domain/caller.ts';
import type { RunDecided } from '../../domain/runs/run.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadRun } from './load-run.ts';
import { runChange } from './run-change.ts';

export interface RunChange {
  verb: Verb;
  input: { runId: string; idempotencyKey?: string };
  /** Undefined where it is as it should be already. */
  decide(run: Run, now: number): RunDecided | undefined;
  /** Done before the run is changed, and again if that was not saved. */
  prepare?(run: Run): Promise<void>;
}

export function changeRun(context: Context, caller: Caller, { verb, input, decide, prepare }: RunChange): Promise<Run> {
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
