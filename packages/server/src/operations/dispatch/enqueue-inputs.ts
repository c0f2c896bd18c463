/** Adds inputs to the queues of their threads. Adding an input twice changes nothing while its queue exists. */
import type { DispatchSettings, LogEvent } from '@holdpoint/protocol';
import { isInput } from '../../domain/dispatch/inputs.ts';
import { settingsOf } from '../../domain/dispatch/settings.ts';
import { enqueue, queueId, queueType, type ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import type { Context } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { openRun } from '../runs/runs.ts';
import { loadOverrides } from './dispatch-settings.ts';
import { queueChange } from './queue-change.ts';

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;

/** Takes events in log order. Queues are independent of each other, so they are saved together. */
export async function enqueueInputs(context: Tools, orgId: string, inputs: readonly LogEvent[]): Promise<void> {
  const org = await loadOverrides(context, { orgId });
  const threads = Map.groupBy(inputs, ({ threadId }) => threadId);
  const enqueued = [...threads].map(async ([threadId, ofThread]) => {
    const [own, thread] = await Promise.all([
      loadOverrides(context, { orgId, threadId }),
      context.store.getThread({ orgId, id: threadId }),
    ]);
    const agent = thread?.agent ?? (await openRun(context, { orgId, threadId }))?.agent;
    const hasAgent = agent !== undefined;
    const settings = settingsOf({ org: org?.record, thread: own?.record, hasAgent });
    const ofAgent = ofThread.filter((event) => isInput(event, { hasAgent }));
    const queues = Map.groupBy(ofAgent, ({ seq }) => queueId(threadId, settings, seq));
    await Promise.all(
      [...queues].map(([id, ofQueue]) => extendQueue(context, { orgId, id, agent, settings, inputs: ofQueue })),
    );
  });
  await Promise.all(enqueued);
}

interface Extension {
  orgId: string;
  id: string;
  agent: string | undefined;
  settings: DispatchSettings;
  inputs: readonly LogEvent[];
}

async function extendQueue(
  { store, clock, newId }: Tools,
  { orgId, id, agent, settings, inputs }: Extension,
): Promise<void> {
  await retryOnConflict(async () => {
    const before = await store.getDocument({ orgId, type: queueType, id });
    const now = clock.now();
    const after = inputs.reduce<ThreadQueue | undefined>((queue, { threadId, seq, at, type }) => {
      const input = { threadId, agent, seq, at: Date.parse(at), isMessage: type === 'message.created' };
      return enqueue(queue, input, settings, now);
    }, before?.record);
    if (!after || after === before?.record) return undefined;
    return store.commit({ orgId, ...queueChange({ before: before ?? { id }, queue: after }, { now, newId }) });
  });
}
