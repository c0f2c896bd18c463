import { type CancelRun, HoldpointError, limits, type Run, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { cancelRun as decide } from '../../domain/runs/end-and-wake.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import { cancelInteraction } from '../cancel-interaction.ts';
import type { Context } from '../context.ts';
import { changeRun } from './change-run.ts';

/** Its questions first: a crash in between leaves a run that can be cancelled again, and no question that nobody waits for. */
export function cancelRun(
  context: Context,
  caller: Caller,
  input: { runId: string } & CancelRun & Write,
): Promise<Run> {
  const { reason } = input;
  const by = actorOf(caller);
  return changeRun(context, caller, {
    verb: 'cancelRun',
    input,
    prepare: (run) => (isOpen(run) ? cancelQuestions(context, caller, run, reason) : Promise.resolve()),
    decide: (run, now) =>
      run.status === 'cancelled' ? undefined : decide(run, { by, ...(reason === undefined ? {} : { reason }) }, now),
  });
}

async function cancelQuestions(context: Context, caller: Caller, run: Run, reason?: string): Promise<void> {
  const { orgId } = caller;
  const pending = { orgId, runId: run.id, status: 'pending', limit: limits.pageSize } as const;
  const awaited = (run.waitingFor ?? []).flatMap((wait) => (wait.type === 'interaction' ? [wait.interactionId] : []));
  const asked = (await context.store.listInteractions(pending)).items.map(({ id }) => id);
  for (const interactionId of new Set([...awaited, ...asked]))
    await cancelInteraction(context, caller, { interactionId, ...(reason === undefined ? {} : { reason }) }).catch(
      (error: unknown) => {
        if (!(error instanceof HoldpointError && isClosed(error))) throw error;
      },
    );
}

/** Somebody was faster, or it never was there. */
const isClosed = ({ code }: HoldpointError): boolean => code.startsWith('interaction-');
