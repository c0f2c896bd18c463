/** Takes inputs of the log in: each makes its thread's lane longer. Taking one in twice changes nothing while its lane is there. */
import { type DispatchSettings, fail, type LogEvent } from '@holdpoint/protocol';
import { arrive } from '../../domain/dispatch/arrive.ts';
import { type Lane, laneId } from '../../domain/dispatch/lane.ts';
import { settingsOf } from '../../domain/dispatch/settings.ts';
import type { Context } from '../context.ts';
import { loadOverrides } from './dispatch-settings.ts';
import { laneChange, maxTries } from './lane-change.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

/** Events in log order. Lanes are independent of each other, so they are saved together. */
export async function takeIn(context: Tools, orgId: string, inputs: readonly LogEvent[]): Promise<void> {
  const org = await loadOverrides(context, { orgId });
  const threads = Map.groupBy(inputs, ({ threadId }) => threadId);
  const taking = [...threads].map(async ([threadId, ofThread]) => {
    const settings = settingsOf(org?.record, (await loadOverrides(context, { orgId, threadId }))?.record);
    const lanes = Map.groupBy(ofThread, ({ seq }) => laneId(threadId, settings, seq));
    await Promise.all([...lanes].map(([id, ofLane]) => extendLane(context, { orgId, id, settings, inputs: ofLane })));
  });
  await Promise.all(taking);
}

interface Extension {
  orgId: string;
  id: string;
  settings: DispatchSettings;
  inputs: readonly LogEvent[];
}

async function extendLane({ store, clock, newId }: Tools, { orgId, id, settings, inputs }: Extension): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const before = await store.getDocument({ orgId, type: 'lane', id });
    const now = clock.now();
    const after = inputs.reduce<Lane | undefined>((lane, { threadId, seq, at, type }) => {
      const arrival = { threadId, seq, at: Date.parse(at), isMessage: type === 'message.created' };
      return arrive(lane, arrival, settings, now);
    }, before?.record);
    if (!after || after === before?.record) return;
    const changed = { id, threadId: after.threadId, expected: before?.revision ?? null, lane: after };
    const committed = await store.commit({ orgId, ...laneChange(changed, { now, newId }) });
    if (committed.ok) return;
  }
  fail('busy', `The lane ${id} changes too often to be made longer.`);
}
