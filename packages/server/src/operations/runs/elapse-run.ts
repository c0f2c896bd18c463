import type { Run } from '@holdpoint/protocol';
import { wakeRun } from '../../domain/runs/end-and-wake.ts';
import { isEndedByOthers } from '../../domain/runs/run.ts';
import { systemActor } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { runChange } from './run-change.ts';
import { withdrawQuestionsOf } from './withdraw-questions.ts';

/**
 * Called when the time has come that a run waits for, and when others have ended it. Where an input or another node was
 * faster, nothing is left to do.
 */
export async function elapseRun(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getRun({ orgId, id });
    if (before && isEndedByOthers(before)) return tidyUp({ store, clock }, orgId, before);
    const woken = before && wakeRun(before, clock.now());
    if (!woken?.ok) return;
    return store.commit({ orgId, ...(await runChange({ store, clock }, orgId, woken, before)) });
  });
}

async function tidyUp(tools: Pick<Context, 'store' | 'clock'>, orgId: string, run: Run): Promise<void> {
  const reason = run.cancelReason ?? run.error?.message;
  await withdrawQuestionsOf(tools, run, { orgId, by: systemActor('dispatch'), reason });
  await tools.store.commit({ orgId, timers: [{ kind: 'run', id: run.id, dueAt: null }] });
}
