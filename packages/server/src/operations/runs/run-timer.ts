import { type Actor, defined, limits, type Run } from '@holdpoint/protocol';
import { decide } from '../../domain/decide.ts';
import { wakeRun } from '../../domain/runs/end-and-wake.ts';
import { isEndedByOthers } from '../../domain/runs/run.ts';
import { systemActor } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { toChange } from '../interactions/change-interaction.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { runChange } from './run-change.ts';

type Tools = Pick<Context, 'store' | 'clock'>;

/**
 * Called when the time for which a run waits has come, and when others have ended it. Does nothing if an input or another
 * node was faster.
 */
export async function fireRunTimer(
  { store, clock }: Tools,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getRun({ orgId, id });
    if (before && isEndedByOthers(before)) return cancelQuestions({ store, clock }, orgId, before);
    const woken = before && wakeRun(before, clock.now());
    if (!woken?.ok) return;
    return store.commit({ orgId, ...(await runChange({ store, clock }, orgId, woken, before)) });
  });
}

async function cancelQuestions(tools: Tools, orgId: string, run: Run): Promise<void> {
  const reason = run.cancelReason ?? run.error?.message;
  await cancelQuestionsOf(tools, run, { orgId, by: systemActor('dispatch'), reason });
  await tools.store.commit({ orgId, timers: [{ kind: 'run', id: run.id, dueAt: null }] });
}

interface Cancelling {
  orgId: string;
  by: Actor;
  reason: string | undefined;
}

/** A run that has ended asks nothing any more: cancels its questions, and those for which it waits. */
export async function cancelQuestionsOf(tools: Tools, run: Run, cancelling: Cancelling): Promise<void> {
  for (const wait of run.waitingFor ?? [])
    if (wait.type === 'interaction') await cancelQuestion(tools, wait.interactionId, cancelling);
  const pending = { orgId: cancelling.orgId, runId: run.id, status: 'pending', limit: limits.pageSize } as const;
  let from = {};
  for (;;) {
    const { items, next: cursor } = await tools.store.listInteractions({ ...pending, ...from });
    for (const { id } of items) await cancelQuestion(tools, id, cancelling);
    if (cursor === undefined) return;
    from = { cursor };
  }
}

/** Does nothing if the question is closed or was never saved. */
async function cancelQuestion({ store, clock }: Tools, id: string, { orgId, by, reason }: Cancelling): Promise<void> {
  await retryOnConflict(async () => {
    const state = (await store.getInteraction({ orgId, id })) ?? null;
    const command = { type: 'cancel', by, ...defined({ reason }) } as const;
    const decided = decide(state, command, clock.now());
    return decided.ok ? store.commit({ orgId, ...toChange(decided.outcome, state) }) : undefined;
  });
}
