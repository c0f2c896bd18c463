/** What was said last in the thread. It is no call: whatever is made of it is kept by the call that reads it. */
import { limits, type Message, type Run } from '@holdpoint/protocol';
import type { HistoryOptions } from '../agent.ts';
import { reach } from '../engine/breaks.ts';
import { eventsBefore } from './events-before.ts';
import { heardBefore } from './heard-before.ts';
import type { Place } from './say.ts';

type HistoryPlace = Pick<Place, 'service' | 'threadId'> & { run: Pick<Run, 'fromSeq'> };

export async function history(
  place: HistoryPlace,
  limit = 50,
  { beforeRun = false }: HistoryOptions = {},
): Promise<Message[]> {
  const wanted = Math.min(limit, limits.pageSize);
  return beforeRun ? messagesBefore(place, wanted) : lastMessages(place, wanted);
}

/** Continues after a short page (L20), because a few megabytes of messages fill one. */
async function lastMessages({ service, threadId }: HistoryPlace, wanted: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (let from = {}; messages.length < wanted; ) {
    const asked = { threadId, order: 'newest', limit: wanted - messages.length, ...from } as const;
    const { data, next } = await reach(() => service.listMessages(asked));
    messages.push(...data);
    if (next === undefined) break;
    from = { cursor: next };
  }
  return messages.reverse();
}

/** From the log, because the ids of messages do not say which of two that came at once was first. */
async function messagesBefore({ service, threadId, run: { fromSeq } }: HistoryPlace, wanted: number) {
  const events = await eventsBefore({
    ...{ service, threadId, fromSeq },
    isEnough: (some) => heardBefore(some, fromSeq, wanted).isComplete,
  });
  return heardBefore(events, fromSeq, wanted).messages;
}
