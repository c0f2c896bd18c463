import { HoldpointError, type Run, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { restartRun as decide } from '../../domain/runs/end-and-wake.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { lastRun, loadRun } from './load-run.ts';
import { runChange } from './run-change.ts';

export function restartRun(context: Context, caller: Caller, input: { runId: string } & Write): Promise<Run> {
  const { clock, newId } = context;
  return perform(context, caller, {
    verb: 'restartRun',
    input,
    attempt: async () => {
      const before = await loadRun(context, caller, input.runId);
      const { threadId } = before;
      const last = (await lastRun(context, { orgId: caller.orgId, threadId })) ?? before;
      const { agent } = await loadThread(context, caller, threadId);
      const decided = decide(before, { id: newId(), by: actorOf(caller), last, agent }, clock.now());
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const { run } = decided;
      const change = await runChange(context, caller.orgId, decided, undefined);
      return { change, resource: { type: 'run', id: run.id }, result: run };
    },
    reload: (id) => loadRun(context, caller, id),
  });
}
