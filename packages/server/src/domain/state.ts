/** Facts about an interaction and its times that several rules need, and the outcomes that several rules have. */
import {
  type Actor,
  type ActorRef,
  type Answer,
  defined,
  type EventData,
  type Fault,
  type Interaction,
  type InteractionEventType,
} from '@holdpoint/protocol';
import type { NewEvent, NewEventOf, Outcome } from './command.ts';
import { isGroup } from './people/assignee.ts';

/** One decision needs the text of the same time often. */
let lastTime = { now: 0, text: new Date(0).toISOString() };

export function timestamp(now: number): string {
  if (now !== lastTime.now) lastTime = { now, text: new Date(now).toISOString() };
  return lastTime.text;
}

/** The server itself: a due time, a rule, or one of its own jobs. */
export const systemActor = (id: string, via: 'deadline' | 'rule' | 'local' = 'local'): Actor => ({
  ...{ type: 'system', id },
  via,
});

export const isDue = (state: Interaction, now: number): boolean =>
  state.deadline !== undefined && Date.parse(state.deadline.at) <= now;

/**
 * `names` are the assignees that include the responder, besides its own id: a person, and the groups of the person. No
 * responder is a group, so a name that is equal to one does not count.
 */
export const isAsked = (
  { responder }: Pick<Interaction, 'responder'>,
  by: ActorRef,
  names: readonly string[] = [],
): boolean =>
  (responder.type === 'any' || responder.type === by.type) &&
  (responder.assignees?.some((assignee) => names.includes(assignee) || (assignee === by.id && !isGroup(assignee))) ??
    true);

/** Returns all assignees, now or after an escalation, each once. */
export const allAssignees = ({ responder, escalations = [] }: Pick<Interaction, 'responder' | 'escalations'>) =>
  new Set([...(responder.assignees ?? []), ...escalations.flatMap(({ assignees }) => assignees)]);

/** Returns how many responders may vote, now or after an escalation. Groups change, so theirs are not counted. */
export function voterCount(asked: Pick<Interaction, 'responder' | 'escalations'>): number {
  const all = asked.responder.assignees ? allAssignees(asked) : undefined;
  return !all || [...all].some(isGroup) ? Number.POSITIVE_INFINITY : all.size;
}

/** Returns the facts of the state that come with a refusal. */
export function currentState(state: Interaction): NonNullable<Fault['current']> {
  const { id, status, closedReason, version, closedAt, closedBy, answer } = state;
  return { id, status, closedReason, version, closedAt, closedBy, decision: answer?.decision };
}

export const tooLate = (state: Interaction): Fault => ({
  code: 'interaction-expired',
  detail: `The deadline passed at ${state.deadline?.at}.`,
  current: currentState(state),
});

/** The caller decided on an earlier version. */
export const versionConflict = (expected: number, current: { version: number; [fact: string]: unknown }): Fault => ({
  code: 'version-conflict',
  detail: `The current version is ${current.version}, not ${expected}.`,
  current,
});

/** Makes an answer to the question as it is now, with its digest. */
export const newAnswer = (
  { digest }: Interaction,
  { by, automatic, grantId, ...given }: Omit<Answer, 'at' | 'digest'>,
  now: number,
): Answer => ({ ...given, ...defined({ digest }), by, at: timestamp(now), ...defined({ automatic, grantId }) });

/** Returns the state one change later. A vote and the end of the question also end a claim. */
export function next(state: Interaction, now: number, change: Partial<Interaction>): Interaction {
  const changed = { ...state, ...change, version: state.version + 1, updatedAt: timestamp(now) };
  return change.status === undefined && change.votes === undefined ? changed : withoutClaim(changed);
}

export function withoutClaim(state: Interaction): Interaction {
  if (!state.claim) return state;
  const { claim: _ended, ...rest } = state;
  return rest;
}

/** Closes an interaction with an answer of a responder or of the system. */
export function closeWithAnswer(state: Interaction, votes: Answer[], answer: Answer, now: number): Outcome {
  const declined = answer.decision === 'declined';
  const closedReason = answer.automatic === 'deadline' ? 'deadline' : declined ? 'declined' : 'answered';
  const { at: closedAt, by: closedBy } = answer;
  const interaction = next(state, now, { status: 'answered', closedReason, closedAt, closedBy, votes, answer });
  return outcomeOf(interaction, declined ? 'interaction.declined' : 'interaction.answered', closedBy, { answer });
}

/** Returns the outcome of a change with one event. */
export const outcomeOf = <T extends InteractionEventType>(
  interaction: Interaction,
  type: T,
  actor: Actor,
  data: Omit<EventData[T], 'version'>,
): Outcome => ({ interaction, events: [interactionEvent(interaction, type, actor, data)] });

export const interactionEvent = <T extends InteractionEventType>(
  { id, version, updatedAt }: Interaction,
  type: T,
  actor: Actor,
  data: Omit<EventData[T], 'version'>,
): NewEvent =>
  ({ type, at: updatedAt, actor, interactionId: id, data: { version, ...data } }) as NewEventOf<InteractionEventType>;

/** Returns the part of a record that a receiver needs to continue. It can ask for the rest. */
export const interactionSummary = ({ id, kind, title, run, trace, metadata }: Interaction) => ({
  id,
  kind,
  title,
  ...defined({ run, trace, metadata }),
});

/**
 * Clocks of two nodes are assumed to differ by less than this. A due time further ahead than possible was set by a
 * wrong clock.
 */
export const clockSkewMs = 600_000;

/** Returns the first part of the smallest id of a time: ids are UUIDv7, which begin with their milliseconds. */
export function firstIdAt(time: number): string {
  const ms = Math.min(Math.max(Math.floor(time), 0), 2 ** 48 - 1);
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Ids are UUIDv7, so they sort by time. With each hex digit mirrored they sort from the newest to the oldest. */
export const mirrored = (id: string): string =>
  id.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));

/**
 * Returns an id that is greater than the last: the given one, or one of a millisecond after the last. Runs of a thread are
 * in the order of their ids, even if the clocks of their nodes differ.
 */
export const idAfter = (last: string | undefined, id: string): string =>
  last === undefined || id > last ? id : `${firstIdAt(timeOf(last) + 1)}${id.slice(13)}`;
