/** Reads inputs where they are kept: in the log, and in the interactions they are about. */
import type { Input, LogEvent } from '@holdpoint/protocol';
import { isInput, toInput } from '../../domain/dispatch/inputs.ts';
import type { Store } from '../../stores/store.ts';

const pageSize = 200;
/** Of a few inputs the first lie near the beginning, mostly. */
const firstPageSize = 16;

interface Stretch {
  orgId: string;
  threadId: string;
  fromSeq: number;
  toSeq: number;
  limit: number;
}

/** The first inputs of a stretch of a thread's log, which has much else in it. */
export async function readInputEvents(
  store: Pick<Store, 'readLog'>,
  { orgId, threadId, fromSeq, toSeq, limit: wanted }: Stretch,
): Promise<LogEvent[]> {
  const inputs: LogEvent[] = [];
  let after = fromSeq - 1;
  for (let size = wanted === 1 ? firstPageSize : pageSize; after < toSeq && inputs.length < wanted; size = pageSize) {
    const limit = Math.min(size, toSeq - after);
    const page = await store.readLog({ orgId, threadId, after, limit });
    inputs.push(...page.filter(isInput));
    if (page.length < limit) break;
    after += page.length;
  }
  return inputs.slice(0, wanted);
}

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
