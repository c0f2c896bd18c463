/**
 * Completes records of earlier versions when they are read. A migration would have to parse every record at the start of the
 * server, and PostgreSQL cannot parse all that JavaScript writes (migration 0008). Actors of earlier versions do not say how
 * they were identified, and the `original` of an interaction had another name. What this version writes is complete: it
 * writes only new records, and records that it has read here.
 * cspell:ignore spelling
 */
import type { Actor, Answer, Grant, Interaction, LogEvent, Message, StoredFile, Thread } from '@holdpoint/protocol';
import type { DocumentType } from '../documents.ts';

const isOld = (actor: Actor): boolean => actor.via === undefined;
const withVia = (actor: Actor): Actor => (isOld(actor) ? { ...actor, via: 'unknown' } : actor);

/** Matches an actor without `via`. It also matches some texts of callers, which then cost only time. */
const oldRequester = /"createdBy":\{"type":"[a-z]+","id":"(?:[^"\\]|\\.)*"\}/;

/** Returns the text as it is stored, unless an earlier version has written it. */
export const currentInteractionText = (text: string): string =>
  oldRequester.test(text) ? JSON.stringify(currentInteraction(JSON.parse(text))) : text;

export function currentInteraction(stored: Interaction & { spelling?: Interaction['original'] }): Interaction {
  if (!isOld(stored.createdBy)) return stored;
  const { spelling: original, ...interaction } = stored;
  return {
    ...interaction,
    ...(original && { original }),
    votes: interaction.votes.map(currentAnswer),
    createdBy: withVia(interaction.createdBy),
    ...(interaction.closedBy && { closedBy: withVia(interaction.closedBy) }),
    ...(interaction.answer && { answer: currentAnswer(interaction.answer) }),
  };
}

const currentAnswer = (answer: Answer): Answer => ({ ...answer, by: withVia(answer.by) });

export const currentThread = (thread: Thread): Thread =>
  isOld(thread.createdBy) ? { ...thread, createdBy: withVia(thread.createdBy) } : thread;

export const currentMessage = (message: Message): Message => byKnown(message);

export function currentGrant(grant: Grant): Grant {
  const { by, voters, revokedBy } = grant;
  if (!isOld(by)) return grant;
  return {
    ...grant,
    by: withVia(by),
    voters: voters.map(withVia),
    ...(revokedBy && { revokedBy: withVia(revokedBy) }),
  };
}

/** Of all documents, only files of earlier versions name an actor. */
export const currentDocument = <T>(type: DocumentType, record: T): T =>
  type === 'file' ? (byKnown(record as StoredFile) as T) : record;

const byKnown = <T extends { by: Actor }>(record: T): T =>
  isOld(record.by) ? { ...record, by: withVia(record.by) } : record;

/** The records of an event were written together with its actor, so they are of the same version. */
export function currentEvent(event: LogEvent): LogEvent {
  if (!isOld(event.actor)) return event;
  const current = { ...event, actor: withVia(event.actor) };
  return { ...current, data: currentData(event.data as Record<string, unknown>) } as LogEvent;
}

const currentParts: Record<string, (part: never) => unknown> = {
  thread: currentThread,
  message: currentMessage,
  file: byKnown<StoredFile>,
  interaction: currentInteraction,
  vote: currentAnswer,
  answer: currentAnswer,
  grant: currentGrant,
};

const currentData = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).map(([name, part]) => [name, currentParts[name]?.(part as never) ?? part]));
