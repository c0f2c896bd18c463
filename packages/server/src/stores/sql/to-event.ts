import type { LogEvent } from '@holdpoint/protocol';

export function toEvent(row: Record<string, unknown>, cursor: string): LogEvent {
  return {
    cursor,
    threadId: String(row.thread_id),
    seq: Number(row.seq),
    type: row.type as LogEvent['type'],
    at: String(row.at),
    actor: JSON.parse(String(row.actor)) as LogEvent['actor'],
    ...(row.interaction_id === null ? {} : { interactionId: String(row.interaction_id) }),
    data: JSON.parse(String(row.data)) as LogEvent['data'],
  } as LogEvent;
}
