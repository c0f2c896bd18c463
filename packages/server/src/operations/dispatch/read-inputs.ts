/** Reads inputs where they are kept: in the log, and in the interactions they are about. */
import type { Input, LogEvent } from '@holdpoint/protocol';
import { isInput, toInput } from '../../domain/dispatch/inputs.ts';
import type { Lane, LaneBatch } from '../../domain/dispatch/lane.ts';
import type { Store } from '../../stores/store.ts';

const pageSize = 200;
/** Of a few inputs the first lie near the beginning, mostly. */
const firstPageSize = 16;

export interface Stretch {
  orgId: string;
  threadId: string;
  hasAgent: boolean;
  fromSeq: number;
  toSeq: number;
  limit: number;
}

export const ofLane = ({ threadId, agent }: Lane) => ({ threadId, hasAgent: agent !== undefined });

/** All that a batch has. */
export const ofBatch = (lane: Lane, { fromSeq, toSeq }: LaneBatch): Omit<Stretch, 'orgId'> => ({
  ...ofLane(lane),
  ...{ fromSeq, toSeq, limit: Number.POSITIVE_INFINITY },
});

/** The first inputs of a stretch of a thread's log, which has much else in it. */
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

/** What a run is told of them. */
export const toRunInputs = (events: readonly LogEvent[]) =>
  events.map(({ seq, type }) => ({ seq, isMessage: type === 'message.created' }));

export async function tellInputs(
  store: Pick<Store, 'getInteraction'>,
  orgId: string,
  events: readonly LogEvent[],
): Promise<Input[]> {
  const told = await Promise.all(
    events.map(async (event) => {
      const { interactionId: id } = event;
      return toInput(event, id === undefined ? undefined : await store.getInteraction({ orgId, id }));
    }),
  );
  return told.filter((input) => input !== undefined);
}
