/** Advances, restarts, cancels and wakes a run. Each decides on the loaded run, and saves the outcome. */
import { type Actor, defined, limits, type Run } from '@holdpoint/protocol';
import { actorOf, type Caller, type Verb } from '../../domain/caller.ts';
import { decide } from '../../domain/decide.ts';
import { advanceRun as advance } from '../../domain/runs/advance.ts';
import { isEndedByOthers, isOpen, type RunDecided } from '../../domain/runs/run.ts';
import { cancelRun as cancel, restartRun as restart, wakeRun } from '../../domain/runs/start-and-end.ts';
import { systemActor } from '../../domain/state.ts';
import type { Context, FireTimer, Operation } from '../context.ts';
import { toChange } from '../interactions/change-interaction.ts';
import { decidedOrThrow, pagesOf, perform } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadThread } from '../threads.ts';
import { runChange } from './run-change.ts';
import { lastRun, loadRun } from './runs.ts';

interface RunChange {
  verb: Verb;
  input: { runId: string; idempotencyKey?: string };
  /** Returns undefined if the run need not change. */
  decide(run: Run): RunDecided | undefined | Promise<RunDecided | undefined>;
}

function changeRun(context: Context, caller: Caller, { verb, input, decide }: RunChange): Promise<Run> {
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const before = await loadRun(context, caller, input.runId);
      const resource = { type: 'run', id: before.id } as const;
      const decided = await decide(before);
      if (!decided) return { change: {}, resource, result: before };
      const outcome = decidedOrThrow(decided);
      return { change: await runChange(context, caller.orgId, outcome, before), resource, result: outcome.run };
    },
    reload: (id) => loadRun(context, caller, id),
  });
}

export const advanceRun: Operation<'advanceRun'> = (context, caller, input) =>
  changeRun(context, caller, {
    verb: 'advanceRun',
    input: { runId: input.runId },
    decide: (run) => advance(run, { ...input, by: actorOf(caller) }, context.clock.now()),
  });

/** Cancels its questions first, so that this is done when the call returns. The end of the run cancels questions that it asks meanwhile. */
export const cancelRun: Operation<'cancelRun'> = (context, caller, input) => {
  const { reason } = input;
  const by = actorOf(caller);
  const { orgId } = caller;
  return changeRun(context, caller, {
    verb: 'cancelRun',
    input,
    decide: async (run) => {
      if (isOpen(run) || run.status === 'cancelled') await cancelQuestionsOf(context, run, { orgId, by, reason });
      if (run.status === 'cancelled') return undefined;
      return cancel(run, { by, ...defined({ reason }) }, context.clock.now());
    },
  });
};

export const restartRun: Operation<'restartRun'> = (context, caller, input) =>
  perform(context, caller, {
    verb: 'restartRun',
    input,
    attempt: async () => {
      const before = await loadRun(context, caller, input.runId);
      const { threadId } = before;
      const last = (await lastRun(context, { orgId: caller.orgId, threadId })) ?? before;
      const { agent } = await loadThread(context, caller, threadId);
      const command = { id: context.newId(), by: actorOf(caller), last, agent };
      const outcome = decidedOrThrow(restart(before, command, context.clock.now()));
      const { run } = outcome;
      const change = await runChange(context, caller.orgId, outcome, undefined);
      return { change, resource: { type: 'run', id: run.id }, result: run };
    },
    reload: (id) => loadRun(context, caller, id),
  });

type Tools = Pick<Context, 'store' | 'clock'>;

/** Wakes a run whose time has come, and cancels the questions of a run that others have ended. */
export const fireRunTimer: FireTimer = async (tools, { orgId, id }) => {
  const { store, clock } = tools;
  await retryOnConflict(async () => {
    const before = await store.getRun({ orgId, id });
    if (before && isEndedByOthers(before)) {
      const reason = before.cancelReason ?? before.error?.message;
      await cancelQuestionsOf(tools, before, { orgId, by: systemActor('dispatch'), reason });
      await store.commit({ orgId, timers: [{ kind: 'run', id, dueAt: null }] });
      return;
    }
    const woken = before && wakeRun(before, clock.now());
    if (!woken?.ok) return;
    return store.commit({ orgId, ...(await runChange(tools, orgId, woken, before)) });
  });
};

interface Cancelling {
  orgId: string;
  by: Actor;
  reason: string | undefined;
}

/** Cancels the questions of a run that has ended, and those for which it waits. */
async function cancelQuestionsOf(tools: Tools, run: Run, cancelling: Cancelling): Promise<void> {
  for (const wait of run.waitingFor ?? [])
    if (wait.type === 'interaction') await cancelQuestion(tools, wait.interactionId, cancelling);
  const pending = { orgId: cancelling.orgId, runId: run.id, status: 'pending', limit: limits.pageSize } as const;
  for await (const items of pagesOf((from) => tools.store.listInteractions({ ...pending, ...from })))
    for (const { id } of items) await cancelQuestion(tools, id, cancelling);
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
