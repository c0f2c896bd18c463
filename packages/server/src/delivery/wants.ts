/** Whether a filter lets an event through. */
import type { EventFilter } from '@holdpoint/protocol';
import type { EventHead } from '../stores/store.ts';

export function wants(
  { threadId, interactionId, types }: EventFilter,
  event: Pick<EventHead, 'threadId' | 'interactionId' | 'type'>,
): boolean {
  if (threadId !== undefined && event.threadId !== threadId) return false;
  if (interactionId !== undefined && event.interactionId !== interactionId) return false;
  return types === undefined || types.includes(event.type);
}
