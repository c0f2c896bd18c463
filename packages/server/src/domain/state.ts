/** Small facts about an interaction that several rules ask for. */
import type { Actor, Answer, EventData, Fault, Interaction, InteractionEventType } from '@holdpoint/protocol';
import type { NewEvent, NewEventOf, Outcome } from './command.ts';

/** One decision asks for the same moment several times. */
let lastMoment = { now: 0, text: new Date(0).toISOString() };

export function timestamp(now: number): string {
  if (now !== lastMoment.now) lastMoment = { now, text: new Date(now).toISOString() };
  return lastMoment.text;
}

export const systemActor = (id: string): Actor => ({ type: 'system', id });

export const isDue = (state: Interaction, now: number): boolean =>
  state.deadline !== undefined && Date.parse(state.deadline.at) <= now;

export const isAsked = ({ responder }: Pick<Interaction, 'responder'>, by: Actor): boolean =>
  (responder.type === 'any' || responder.type === by.type) &&
  (responder.assignees === undefined || responder.assignees.includes(by.id));

/** How many responders may vote, now or after an escalation; a name that is there twice is one person. */
export function voterCount({ responder, escalations = [] }: Pick<Interaction, 'responder' | 'escalations'>): number {
  if (!responder.assignees) return Number.POSITIVE_INFINITY;
  return new Set([...responder.assignees, ...escalations.flatMap(({ assignees }) => assignees)]).size;
}

/** What a caller who came too late is told about the state it met. */
export function currentState(state: Interaction): NonNullable<Fault['current']> {
  const { id, status, closedReason, version, closedAt, closedBy, answer } = state;
  return { id, status, closedReason, version, closedAt, closedBy, decision: answer?.decision };
}

export function closedDetail(state: Interaction): string {
  if (state.status === 'pending') return 'The interaction exists already and is pending.';
  const by = state.closedBy ? ` by ${state.closedBy.type} ${state.closedBy.id}` : '';
  return `The interaction was ${state.closedReason ?? state.status}${by} at ${state.closedAt}.`;
}

export const tooLate = (state: Interaction): Fault => ({
  code: 'interaction-expired',
  detail: `The deadline passed at ${state.deadline?.at}.`,
  current: currentState(state),
});

/** Somebody decided by what it was before. */
export const versionConflict = (expected: number, current: { version: number; [fact: string]: unknown }): Fault => ({
  code: 'version-conflict',
  detail: `You saw version ${expected}; it is at version ${current.version} now.`,
  current,
});

/** An answer says to what it was given. */
export const bound = ({ digest }: Interaction): Pick<Answer, 'digest'> => (digest === undefined ? {} : { digest });

/** The state one change later. */
export function next(state: Interaction, now: number, change: Partial<Interaction>): Interaction {
  return { ...state, ...change, version: state.version + 1, updatedAt: timestamp(now) };
}

/** Closes an interaction with its answer, whoever or whatever gave it. */
export function closeWithAnswer(state: Interaction, votes: Answer[], answer: Answer, now: number): Outcome {
  const declined = answer.decision === 'declined';
  const closedReason = answer.automatic === 'deadline' ? 'deadline' : declined ? 'declined' : 'answered';
  const interaction = next(state, now, {
    status: 'answered',
    closedReason,
    closedAt: answer.at,
    closedBy: answer.by,
    votes,
    answer,
  });
  const type = declined ? 'interaction.declined' : 'interaction.answered';
  return { interaction, events: [interactionEvent(interaction, type, answer.by, { answer })] };
}

export function interactionEvent<T extends InteractionEventType>(
  { id, version, updatedAt }: Interaction,
  type: T,
  actor: Actor,
  data: Omit<EventData[T], 'version'>,
): NewEvent {
  return {
    type,
    at: updatedAt,
    actor,
    interactionId: id,
    data: { version, ...data },
  } as NewEventOf<InteractionEventType>;
}

/** Enough to go on with, and not the whole record: who needs more asks for it. */
export function interactionSummary({ id, kind, title, run, trace, metadata }: Interaction) {
  return {
    id,
    kind,
    title,
    ...(run ? { run } : {}),
    ...(trace ? { trace } : {}),
    ...(metadata ? { metadata } : {}),
  };
}

/**
 * Clocks of two nodes are assumed to differ by less than this. A due time further ahead than possible was set by a
 * wrong clock.
 */
export const clockSkewMs = 600_000;
