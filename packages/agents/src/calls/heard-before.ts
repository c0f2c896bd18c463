/** The messages of a thread before a run, in the order in which its agent heard and said them. */
import { isObject, type LogEvent, type Message, type Run } from '@holdpoint/protocol';

export interface HeardBefore {
  messages: Message[];
  /** No older event would change the messages. */
  isComplete: boolean;
}

interface Heard {
  message: Message;
  /** The place of the event by which the agent heard it. */
  at: number;
}

/**
 * A message of a person that came while an earlier run went on is put where a run was given it: after what that run had said by
 * then. `events` are those before the run began, without a gap; `fromSeq` is the place of its first message, which it is given itself.
 */
export function heardBefore(events: readonly LogEvent[], fromSeq: number, limit: number): HeardBefore {
  const heard: Heard[] = [];
  let unheard: { message: Message; seq: number }[] = [];
  // Each event of a run, and the place after which the messages lie that the run was given by it.
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
  // No run was given these: the thread had no agent yet, or their batch was given up.
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

export function runIn({ type, data }: LogEvent): Pick<Run, 'fromSeq' | 'deliveredSeq'> | undefined {
  return type.startsWith('run.') && 'run' in data && isObject(data.run) ? data.run : undefined;
}

/** A streamed message counts when it is whole. */
function wholeMessageIn({ type, data }: LogEvent): Message | undefined {
  if (type !== 'message.created' && type !== 'message.completed') return undefined;
  const message = data.message as Message | undefined;
  return message?.state === undefined ? message : undefined;
}
