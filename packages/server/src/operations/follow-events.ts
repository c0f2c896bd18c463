import { defined, type EventFilter, fail } from '@holdpoint/protocol';
import { type Caller, seesWholeOrg } from '../domain/caller.ts';
import { assigneesOf } from '../domain/people/person.ts';
import { anyPerson } from '../stores/store.ts';
import type { Context } from './context.ts';
import { loadInteraction } from './interactions/interactions.ts';
import { isMember } from './interactions/interactions-of-member.ts';
import { namesOfAbsent } from './people/deputies.ts';
import { authorize } from './perform.ts';
import { loadThread } from './threads.ts';

export interface OpenedEvents {
  /** The filter that the caller asked for, narrowed to its scope. */
  filter: EventFilter;
  /** The cursor after which to begin. */
  after: string;
}

/** Determines which events a caller follows, and from where: a cursor, `start`, or else from now on. */
export async function openEvents(
  context: Context,
  caller: Caller,
  { after, ...asked }: EventFilter & { after?: string },
): Promise<OpenedEvents> {
  authorize(caller, 'openEvents');
  return { filter: await narrow(context, caller, asked), after: await firstCursor(context, caller, after) };
}

async function narrow(context: Context, caller: Caller, asked: EventFilter): Promise<EventFilter> {
  const scope = caller.kind === 'responder' && !('inbox' in caller.scope) ? caller.scope : undefined;
  if (!seesWholeOrg(caller) && !scope && asked.interactionId === undefined)
    fail('forbidden', 'This caller can follow its inbox, or one interaction. Give interactionId.');
  const threadId = asked.threadId ?? scope?.threadId;
  const interactionId = asked.interactionId ?? scope?.interactionId;
  if (threadId !== undefined) await loadThread(context, caller, threadId);
  if (interactionId === undefined) return { ...asked, ...defined({ threadId }) };
  const interaction = await loadInteraction(context, caller, interactionId);
  if (threadId !== undefined && interaction.threadId !== threadId)
    fail('interaction-not-found', `There is no interaction ${interactionId} in the thread ${threadId}.`);
  return { ...asked, interactionId, threadId: interaction.threadId };
}

/** Reads one event, so that an unavailable store or an unknown cursor is reported before the stream begins. */
async function firstCursor({ store }: Context, { orgId }: Caller, asked: string | undefined): Promise<string> {
  if (asked === undefined) return store.headCursor();
  const after = asked === 'start' ? logStart : asked;
  await store.readEvents({ orgId, after, limit: 1 });
  return after;
}

export interface OpenedInbox extends OpenedEvents {
  /** The stream has only the events of questions for one of these assignees. */
  assignees: readonly string[];
}

/**
 * Returns the events of an inbox, or undefined if the caller follows something else. They begin now: to read a whole log
 * for the few events that name one person is more than a token may ask for.
 */
export async function openInboxEvents(
  context: Context,
  caller: Caller,
  { after, ...filter }: EventFilter & { after?: string },
): Promise<OpenedInbox | undefined> {
  const assignees = await inboxOf(context, caller);
  if (!assignees || filter.interactionId !== undefined) return undefined;
  authorize(caller, 'openEvents');
  if (filter.threadId !== undefined) fail('thread-not-found', `There is no thread ${filter.threadId}.`);
  if (after !== undefined)
    fail(
      'forbidden',
      'The stream of an inbox has new events only. Open the stream, then list the pending interactions.',
    );
  return { filter, after: await context.store.headCursor(), assignees };
}

/** Returns the assignees whose questions are in the inbox of the caller, if it sees an inbox and no threads. */
async function inboxOf(context: Context, caller: Caller): Promise<readonly string[] | undefined> {
  if (isMember(caller)) return [...assigneesOf(caller.person), ...(await namesOfAbsent(context, caller)), anyPerson];
  return caller.kind === 'responder' && 'inbox' in caller.scope ? [caller.responderId] : undefined;
}

/** The cursor before the first event of any log. */
export const logStart = '0'.padStart(16, '0');
