/** The command of the clock: a reminder, an escalation or the deadline of an interaction is due. */
import type { Answer, Interaction } from '@holdpoint/protocol';
import { type CommandOf, type Decided, type NewEvent, refuse } from './command.ts';
import { acceptsAtDeadline } from './deadline-approval.ts';
import { isDueBy, nextDueTime, withNextReminder } from './due-times.ts';
import { readAnswer } from './read-answer.ts';
import {
  bound,
  closeWithAnswer,
  currentState,
  interactionEvent,
  isDue,
  next,
  systemActor,
  timestamp,
} from './state.ts';

const reminder = systemActor('reminder');

const escalation = systemActor('escalation');

export function decideExpire(state: Interaction, command: CommandOf<'expire'>, now: number): Decided {
  // After the deadline, reminders are useless.
  if (isDue(state, now)) return closeAtDeadline(state, command, now);
  const dueAt = nextDueTime(state);
  if (dueAt === undefined || dueAt > now) {
    const detail =
      dueAt === undefined ? 'The interaction has no due time.' : `Nothing is due before ${timestamp(dueAt)}.`;
    return refuse({ code: 'interaction-not-due', detail, current: currentState(state) });
  }
  const reminded = remind(next(state, now, {}), now);
  const escalated = escalate(reminded.interaction, now);
  const { interaction } = escalated;
  const events = [...reminded.events, ...escalated.events];
  return { ok: true, outcome: { interaction, events: events.map((eventOf) => eventOf(interaction)) } };
}

/** The events are made from the final interaction. */
interface Step {
  interaction: Interaction;
  events: ((interaction: Interaction) => NewEvent)[];
}

function remind(state: Interaction, now: number): Step {
  const { nextReminderAt, deadline } = state;
  if (!deadline || nextReminderAt === undefined || Date.parse(nextReminderAt) > now)
    return { interaction: state, events: [] };
  const interaction = withNextReminder(state, now);
  return { interaction, events: [(ended) => interactionEvent(ended, 'interaction.reminded', reminder, { deadline })] };
}

/** Escalations that are due together, as after a restart, become one event. */
function escalate(state: Interaction, now: number): Step {
  const { escalations = [], responder } = state;
  const due = escalations.filter((each) => isDueBy(each, now));
  if (due.length === 0) return { interaction: state, events: [] };
  const before = responder.assignees ?? [];
  const assignees = [...new Set([...before, ...due.flatMap((each) => each.assignees)])];
  const interaction = {
    ...state,
    responder: { ...responder, assignees },
    escalations: escalations.map((each) => (isDueBy(each, now) ? { ...each, doneAt: timestamp(now) } : each)),
  };
  const data = { added: assignees.filter((id) => !before.includes(id)), assignees };
  return { interaction, events: [(ended) => interactionEvent(ended, 'interaction.escalated', escalation, data)] };
}

const deadline = systemActor('deadline');

/** Expires, accepts the recommended answer, or declines, as the requester chose. */
function closeAtDeadline(state: Interaction, { answerId }: CommandOf<'expire'>, now: number): Decided {
  const base = { id: answerId, by: deadline, at: timestamp(now), automatic: 'deadline', ...bound(state) } as const;
  const outcome = state.deadline?.outcome;
  if (outcome === 'decline') {
    const answer: Answer = { ...base, decision: 'declined', values: {}, reason: 'Nobody answered in time.' };
    return { ok: true, outcome: closeWithAnswer(state, state.votes, answer, now) };
  }
  const isVotedDown = acceptsAtDeadline(state) && state.votes.some(({ decision }) => decision === 'declined');
  // Recommendations are checked when the question is asked, so a failure here only means: nothing to take.
  const read =
    outcome === 'recommended' && !isVotedDown ? readAnswer(state, { values: state.recommendations ?? {} }) : undefined;
  if (read?.ok) {
    const answer: Answer = { ...base, ...read.answer };
    return { ok: true, outcome: closeWithAnswer(state, state.votes, answer, now) };
  }
  const interaction = next(state, now, {
    status: 'expired',
    closedReason: 'deadline',
    closedAt: timestamp(now),
    closedBy: deadline,
  });
  return {
    ok: true,
    outcome: { interaction, events: [interactionEvent(interaction, 'interaction.expired', deadline, {})] },
  };
}
