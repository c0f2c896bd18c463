import { type EventFilter, fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import type { OpenedEvents } from './open-events.ts';
import { authorize } from './perform.ts';

export interface OpenedInbox extends OpenedEvents {
  /** Only what names this person is told. */
  person: string;
}

/**
 * What is told to who follows an inbox, or undefined where the caller follows something else. It begins now: to read a
 * whole log for the little that names one person is more than a token may ask for.
 */
export async function openInboxEvents(
  { store }: Context,
  caller: Caller,
  { after, ...filter }: EventFilter & { after?: string },
): Promise<OpenedInbox | undefined> {
  const isInbox = caller.kind === 'responder' && 'inbox' in caller.reach;
  if (!isInbox || filter.interactionId !== undefined) return undefined;
  authorize(caller, 'openEvents');
  if (filter.threadId !== undefined) fail('thread-not-found', `There is no thread ${filter.threadId}.`);
  if (after !== undefined)
    fail('forbidden', 'A token for an inbox follows from now on: list what waits once the stream is open.');
  return { filter, after: await store.headCursor(), person: caller.responderId };
}
