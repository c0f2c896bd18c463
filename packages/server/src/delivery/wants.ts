/** Whether a filter lets an event through. */
import type { EphemeralEvent, EventFilter } from '@holdpoint/protocol';
import type { EventHead } from '../stores/store.ts';

export function wants(
  { threadId, interactionId, types }: EventFilter,
  event: Pick<EventHead, 'threadId' | 'interactionId' | 'type'>,
): boolean {
  if (threadId !== undefined && event.threadId !== threadId) return false;
  if (interactionId !== undefined && event.interactionId !== interactionId) return false;
  return types === undefined || types.includes(event.type);
}

/** They are of a thread and of no interaction; the types of a filter are those of the log. */
export function wantsEphemeral({ threadId, interactionId }: EventFilter, event: EphemeralEvent): boolean {
  return interactionId === undefined && (threadId === undefined || threadId === event.threadId);
}
