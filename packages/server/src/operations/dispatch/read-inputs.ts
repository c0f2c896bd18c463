/** Reads inputs from the log and from the interactions they are about. */
import type { Input, LogEvent } from '@holdpoint/protocol';
import { isInput, toInput } from '../../domain/dispatch/inputs.ts';
import type { QueueBatch, ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import type { Store } from '../../stores/store.ts';

const pageSize = 200;
/** If one input is wanted, it is mostly near the beginning. */
const firstPageSize = 16;

export interface Stretch {
  orgId: string;
  threadId: string;
  hasAgent: boolean;
  fromSeq: number;
  toSeq: number;
  limit: number;
}

export const ofQueue = ({ threadId, agent }: ThreadQueue) => ({ threadId, hasAgent: agent !== undefined });

/** The stretch of all inputs of a batch. */
export const ofBatch = (queue: ThreadQueue, { fromSeq, toSeq }: QueueBatch): Omit<Stretch, 'orgId'> => ({
  ...ofQueue(queue),
  ...{ fromSeq, toSeq, limit: Number.POSITIVE_INFINITY },
});

/** Returns the first inputs in a stretch of a thread's log, which has many other events. */
export async function readInputEvents(
  store: Pick<Store, 'readLog'>,
  { orgId, threadId, hasAgent, fromSeq, toSeq, limit: wanted }: Stretch,
): Promise<LogEvent[]> {
  const inputs: LogEvent[] = [];
  let after = fromSeq - 1;
  for (let size = wanted === 1 ? firstPageSize : pageSize; after < toSeq && inputs.length < wanted; size = pageSize) {
    const limit = Math.min(size, toSeq - after);
    const { items, next } = await store.readLog({ orgId, threadId, after, limit });
    inputs.push(...items.filter((event) => isInput(event, { hasAgent })));
    if (next === undefined) break;
    after = Number(next);
  }
  return inputs.slice(0, wanted);
}

/** The inputs as the rules of runs take them. */
export const toRunInputs = (events: readonly LogEvent[]) =>
  events.map(({ seq, type }) => ({ seq, isMessage: type === 'message.created' }));

export async function toInputs(
  store: Pick<Store, 'getInteraction'>,
  orgId: string,
  events: readonly LogEvent[],
): Promise<Input[]> {
  const inputs = await Promise.all(
    events.map(async (event) => {
      const { interactionId: id } = event;
      return toInput(event, id === undefined ? undefined : await store.getInteraction({ orgId, id }));
    }),
  );
  return inputs.filter((input) => input !== undefined);
}
