/** Returns the last messages of the thread. It is no call of the journal: the call that reads them keeps its own result. */
import { isObject, type LogEvent, limits, type Message, type Run } from '@holdpoint/protocol';
import type { HistoryOptions } from '../agent.ts';
import { reach } from '../engine/errors.ts';
import type { Place } from './messages.ts';

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

/** How far back it reads. A log may have any number of events that are no messages. */
export const maxEvents = 5_000;

/**
 * Reads the log, because the ids of messages do not show which of two simultaneous ones was first. Reads the events before
 * the run without a gap: until they are enough, the log begins, or there are `maxEvents`. Before a run that was restarted
 * are the events before the first of its attempts.
 */
async function messagesBefore({ service, threadId, run: { fromSeq } }: HistoryPlace, wanted: number) {
  let events = await untilItBegan();
  for (;;) {
    const { messages, isComplete } = heardBefore(events, fromSeq, wanted);
    if (isComplete || events.length >= maxEvents) return messages;
    events = [...(await pageBefore(events[0]?.seq ?? fromSeq)), ...events];
  }

  /** The events after its first message, while earlier runs continued. */
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

/**
 * Returns the messages before a run, in the order in which its agent got and wrote them: a person's message that came during
 * an earlier run is at the place where a run got it, after the messages of that run until then. They are complete if no
 * older event would change them. `events` are those before the run began, without a gap. `fromSeq` is the place of its
 * first message, which the run gets itself.
 */
function heardBefore(events: readonly LogEvent[], fromSeq: number, limit: number) {
  // Each message, and the place of the event by which the agent got it.
  const heard: { message: Message; at: number }[] = [];
  let unheard: { message: Message; seq: number }[] = [];
  // Each event of a run, and the place after which the messages are that the run got by it.
  const given: { at: number; after: number | undefined }[] = [];
  let deliveredSeq: number | undefined;
  for (const event of events) {
    const message = wholeMessageIn(event);
    if (message && message.role !== 'user') heard.push({ message, at: event.seq });
    if (message?.role === 'user' && event.seq < fromSeq) unheard.push({ message, seq: event.seq });
    const run = runIn(event);
    if (!run) continue;
    for (const { message, seq } of unheard) if (seq <= run.deliveredSeq) heard.push({ message, at: event.seq });
    unheard = unheard.filter(({ seq }) => seq > run.deliveredSeq);
    given.push({ at: event.seq, after: deliveredSeq });
    deliveredSeq = run.deliveredSeq;
  }
  // No run got these: the thread had no agent yet, or their batch was given up.
  heard.push(...unheard.map(({ message }) => ({ message, at: Number.POSITIVE_INFINITY })));
  const last = heard.slice(-limit);
  const begin = events[0]?.seq ?? 1;
  const oldest = last[0]?.at ?? 0;
  const isWhole = given.every(({ at, after = 0 }) => at < oldest || after >= begin - 1);
  return {
    messages: last.map(({ message }) => message),
    isComplete: begin === 1 || (last.length === limit && isWhole),
  };
}

function runIn({ type, data }: LogEvent): Pick<Run, 'fromSeq' | 'deliveredSeq'> | undefined {
  return type.startsWith('run.') && 'run' in data && isObject(data.run) ? data.run : undefined;
}

/** A streamed message counts once it is complete. */
function wholeMessageIn({ type, data }: LogEvent): Message | undefined {
  if (type !== 'message.created' && type !== 'message.completed') return undefined;
  const message = data.message as Message | undefined;
  return message?.state === undefined ? message : undefined;
}
