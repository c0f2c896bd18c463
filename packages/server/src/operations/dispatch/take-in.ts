/** Takes inputs of the log in: each makes its thread's lane longer. Taking one in twice changes nothing while its lane is there. */
import type { DispatchSettings, LogEvent } from '@holdpoint/protocol';
import { arrive } from '../../domain/dispatch/arrive.ts';
import { isInput } from '../../domain/dispatch/inputs.ts';
import { type Lane, laneId } from '../../domain/dispatch/lane.ts';
import { settingsOf } from '../../domain/dispatch/settings.ts';
import type { Context } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { openRun } from '../runs/load-run.ts';
import { loadOverrides } from './dispatch-settings.ts';
import { laneChange } from './lane-change.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

/** Events in log order. Lanes are independent of each other, so they are saved together. */
export async function takeIn(context: Tools, orgId: string, inputs: readonly LogEvent[]): Promise<void> {
  const org = await loadOverrides(context, { orgId });
  const threads = Map.groupBy(inputs, ({ threadId }) => threadId);
  const taking = [...threads].map(async ([threadId, ofThread]) => {
    const [own, thread] = await Promise.all([
      loadOverrides(context, { orgId, threadId }),
      context.store.getThread({ orgId, id: threadId }),
    ]);
    const agent = thread?.agent ?? (await openRun(context, { orgId, threadId }))?.agent;
    const hasAgent = agent !== undefined;
    const settings = settingsOf({ org: org?.record, thread: own?.record, hasAgent });
    const taken = ofThread.filter((event) => isInput(event, { hasAgent }));
    const lanes = Map.groupBy(taken, ({ seq }) => laneId(threadId, settings, seq));
    await Promise.all(
      [...lanes].map(([id, ofLane]) => extendLane(context, { orgId, id, agent, settings, inputs: ofLane })),
    );
  });
  await Promise.all(taking);
}

interface Extension {
  orgId: string;
  id: string;
  agent: string | undefined;
  settings: DispatchSettings;
  inputs: readonly LogEvent[];
}

async function extendLane(
  { store, clock, newId }: Tools,
  { orgId, id, agent, settings, inputs }: Extension,
): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: 'lane', id });
    const now = clock.now();
    const after = inputs.reduce<Lane | undefined>((lane, { threadId, seq, at, type }) => {
      const arrival = { threadId, agent, seq, at: Date.parse(at), isMessage: type === 'message.created' };
      return arrive(lane, arrival, settings, now);
    }, before?.record);
    if (!after || after === before?.record) return undefined;
    const changed = { id, threadId: after.threadId, before, lane: after };
    return store.commit({ orgId, ...laneChange(changed, { now, newId }) });
  });
}
