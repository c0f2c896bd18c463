/** Reads the end of a thread's log as it was when a run began. */
import { type HoldpointService, type LogEvent, limits } from '@holdpoint/protocol';
import { reach } from '../engine/breaks.ts';
import { runIn } from './heard-before.ts';

export interface EventsBefore {
  service: HoldpointService;
  threadId: string;
  /** The place of the run's first message. */
  fromSeq: number;
  /** Asked after each page, with all that was read. */
  isEnough(events: readonly LogEvent[]): boolean;
}

/** How far back it reads: a log may have any number of events that are no messages. */
export const maxEvents = 5_000;

/**
 * Returns the events before the run, without a gap: until they are enough, the log begins, or there are `maxEvents`. Before a run
 * that was restarted are the events before the first of its attempts.
 */
export async function eventsBefore({ service, threadId, fromSeq, isEnough }: EventsBefore): Promise<LogEvent[]> {
  let events = await untilItBegan();
  while (!isEnough(events) && events.length < maxEvents) {
    const begin = events[0]?.seq ?? fromSeq;
    if (begin === 1) break;
    events = [...(await pageBefore(begin)), ...events];
  }
  return events;

  /** What happened after its first message, while earlier runs went on. */
  async function untilItBegan(): Promise<LogEvent[]> {
    let since: LogEvent[] = [];
    for (let after = fromSeq - 1; ; ) {
      const { data, next } = await page(after, limits.pageSize);
      const began = data.findIndex((event) => (runIn(event)?.fromSeq ?? 0) >= fromSeq);
      since = [...since, ...(began < 0 ? data : data.slice(0, began))].slice(-maxEvents);
      if (began >= 0 || next === undefined) return since;
      after = Number(next);
    }
  }

  async function pageBefore(end: number): Promise<LogEvent[]> {
    const events: LogEvent[] = [];
    for (let after = Math.max(0, end - 1 - limits.pageSize); after < end - 1; ) {
      // A page may be short (L20).
      const { data } = await page(after, end - 1 - after);
      const last = data.at(-1);
      if (!last) throw new Error(`The log has no event after ${after}.`);
      events.push(...data);
      after = last.seq;
    }
    return events;
  }

  function page(after: number, limit: number) {
    return reach(() => service.readLog({ threadId, after, limit }));
  }
}
