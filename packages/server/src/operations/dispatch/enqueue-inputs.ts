/** Adds inputs to the queues of their threads. Adding an input twice changes nothing while its queue exists. */
import type { LogEvent } from '@holdpoint/protocol';
import { isInput } from '../../domain/dispatch/inputs.ts';
import { enqueue, queueId, settingsOf } from '../../domain/dispatch/thread-queue.ts';
import type { Context } from '../context.ts';
import { openRun } from '../runs/runs.ts';
import { loadOverrides } from './dispatch-settings.ts';
import { changeQueue } from './queue-change.ts';

/** Takes events in log order. Queues are independent of each other, so they are saved together. */
export async function enqueueInputs(
  context: Pick<Context, 'store' | 'clock' | 'newId'>,
  orgId: string,
  inputs: readonly LogEvent[],
): Promise<void> {
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
    const extended = [...queues].map(([id, ofQueue]) =>
      changeQueue(context, { orgId, id }, (before, now) =>
        ofQueue.reduce((queue, { seq, at, type }) => {
          const input = { threadId, agent, seq, at: Date.parse(at), isMessage: type === 'message.created' };
          return enqueue(queue, input, settings, now);
        }, before),
      ),
    );
    await Promise.all(extended);
  });
  await Promise.all(enqueued);
}
