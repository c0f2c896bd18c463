/** The command of the clock: a reminder, an escalation or the deadline of an interaction is due. */
import type { Interaction } from '@holdpoint/protocol';
import { accept, type CommandOf, type Decided, refuse } from './command.ts';
import { isDueBy, nextDueTime, withNextReminder } from './due-times.ts';
import { acceptsAtDeadline } from './policy.ts';
import { readAnswer } from './read-answer.ts';
import {
  closeWithAnswer,
  currentState,
  interactionEvent,
  isDue,
  newAnswer,
  next,
  outcomeOf,
  systemActor,
  timestamp,
} from './state.ts';

export function decideExpire(state: Interaction, command: CommandOf<'expire'>, now: number): Decided {
  // After the deadline, reminders are useless.
  if (isDue(state, now)) return closeAtDeadline(state, command, now);
  const dueAt = nextDueTime(state);
  if (dueAt === undefined || dueAt > now) {
    const detail =
      dueAt === undefined ? 'The interaction has no due time.' : `The next due time is ${timestamp(dueAt)}.`;
    return refuse({ code: 'interaction-not-due', detail, current: currentState(state) });
  }
  const { nextReminderAt, deadline } = state;
  const changed = next(state, now, {});
  const isReminded = deadline && nextReminderAt !== undefined && Date.parse(nextReminderAt) <= now;
  const reminded = isReminded ? withNextReminder(changed, now) : changed;
  const { interaction = reminded, data } = escalate(reminded, now, command.deactivated);
  const events = [
    ...(isReminded
      ? [interactionEvent(interaction, 'interaction.reminded', systemActor('reminder', 'deadline'), { deadline })]
      : []),
    ...(data
      ? [interactionEvent(interaction, 'interaction.escalated', systemActor('escalation', 'deadline'), data)]
      : []),
  ];
  return accept({ interaction, events });
}

/** Escalations that are due together, as after a restart, become one event. */
function escalate(state: Interaction, now: number, deactivated: readonly string[] = []) {
  const { escalations = [], responder } = state;
  const due = escalations.filter((each) => isDueBy(each, now));
  if (due.length === 0) return {};
  const before = responder.assignees ?? [];
  const assignees = [
    ...new Set([...before, ...due.flatMap((each) => each.assignees.filter((id) => !deactivated.includes(id)))]),
  ];
  const interaction: Interaction = {
    ...state,
    responder: { ...responder, assignees },
    escalations: escalations.map((each) => (isDueBy(each, now) ? { ...each, doneAt: timestamp(now) } : each)),
  };
  return { interaction, data: { added: assignees.filter((id) => !before.includes(id)), assignees } };
}

/** Expires, accepts the recommended answer, or declines, as the requester chose. */
function closeAtDeadline(state: Interaction, { answerId }: CommandOf<'expire'>, now: number): Decided {
  const by = systemActor('deadline', 'deadline');
  const base = { id: answerId, by, automatic: 'deadline' } as const;
  const outcome = state.deadline?.outcome;
  if (outcome === 'decline') {
    const declined = { ...base, decision: 'declined', values: {}, reason: 'Nobody answered in time.' } as const;
    return accept(closeWithAnswer(state, state.votes, newAnswer(state, declined, now), now));
  }
  const isVotedDown = acceptsAtDeadline(state) && state.votes.some(({ decision }) => decision === 'declined');
  // Recommendations are checked when the question is asked, so they fail here only if there are none.
  const read =
    outcome === 'recommended' && !isVotedDown ? readAnswer(state, { values: state.recommendations ?? {} }) : undefined;
  if (read?.ok)
    return accept(closeWithAnswer(state, state.votes, newAnswer(state, { ...base, ...read.answer }, now), now));
  const closed = { status: 'expired', closedReason: 'deadline', closedAt: timestamp(now), closedBy: by } as const;
  return accept(outcomeOf(next(state, now, closed), 'interaction.expired', by, {}));
}
