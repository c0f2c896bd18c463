/** What is saved when a lane has changed; with a batch that was given up, the run that it was for. */
import { giveUpRun } from '../../domain/runs/end-and-wake.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import type { Change } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { type ChangedLane, laneChange } from '../dispatch/lane-change.ts';
import { ofBatch, readInputEvents, toRunInputs } from '../dispatch/read-inputs.ts';
import { lastRun } from './load-run.ts';
import { runChange, together } from './run-change.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

export async function laneAndRunChange(
  tools: Tools,
  orgId: string,
  changed: ChangedLane,
  now: number,
): Promise<Omit<Change, 'orgId'>> {
  const { store, newId } = tools;
  const change = laneChange(changed, { now, newId });
  const { skipped, threadId, before } = changed;
  const agent = before?.record.agent;
  if (!skipped || !before || agent === undefined) return change;
  const { batch, reason } = skipped;
  const last = await lastRun(tools, { orgId, threadId });
  const events = await readInputEvents(store, { orgId, ...ofBatch(before.record, batch) });
  const begin = { id: newId(), threadId, agent, inputs: toRunInputs(events) };
  const given = giveUpRun(last, begin, reason, now);
  return given
    ? together(change, await runChange(tools, orgId, given, last && isOpen(last) ? last : undefined))
    : change;
}
