/** Time has passed: the deadline has come, or a reminder or an escalation before it. */
import type { Interaction } from '@holdpoint/protocol';
import { type CommandOf, type Decided, type NewEvent, refuse } from './command.ts';
import { decideExpire } from './expire.ts';
import { isDueBy, nextMoment, withNextReminder } from './moments.ts';
import { currentState, interactionEvent, isDue, next, systemActor, timestamp } from './state.ts';

const reminder = systemActor('reminder');
const escalation = systemActor('escalation');

export function decideElapse(state: Interaction, command: CommandOf<'elapse'>, now: number): Decided {
  // Past the deadline nobody is reminded of it any more.
  if (isDue(state, now)) return decideExpire(state, command, now);
  const moment = nextMoment(state);
  if (moment === undefined || moment > now) {
    const detail =
      moment === undefined ? 'The interaction waits for no time.' : `Nothing is due before ${timestamp(moment)}.`;
    return refuse({ code: 'interaction-not-due', detail, current: currentState(state) });
  }
  const reminded = remind(next(state, now, {}), now);
  const escalated = escalate(reminded.interaction, now);
  const { interaction } = escalated;
  const told = [...reminded.told, ...escalated.told];
  return { ok: true, outcome: { interaction, events: told.map((tell) => tell(interaction)) } };
}

/** The events are told of what the interaction has become in the end. */
interface Elapsed {
  interaction: Interaction;
  told: ((interaction: Interaction) => NewEvent)[];
}

function remind(state: Interaction, now: number): Elapsed {
  const { nextReminderAt, deadline } = state;
  if (!deadline || nextReminderAt === undefined || Date.parse(nextReminderAt) > now)
    return { interaction: state, told: [] };
  const interaction = withNextReminder(state, now);
  return { interaction, told: [(ended) => interactionEvent(ended, 'interaction.reminded', reminder, { deadline })] };
}

/** Several that are due at once, after a stop, are told as one. */
function escalate(state: Interaction, now: number): Elapsed {
  const { escalations = [], responder } = state;
  const due = escalations.filter((each) => isDueBy(each, now));
  if (due.length === 0) return { interaction: state, told: [] };
  const before = responder.assignees ?? [];
  const assignees = [...new Set([...before, ...due.flatMap((each) => each.assignees)])];
  const interaction = {
    ...state,
    responder: { ...responder, assignees },
    escalations: escalations.map((each) => (isDueBy(each, now) ? { ...each, doneAt: timestamp(now) } : each)),
  };
  const data = { added: assignees.filter((id) => !before.includes(id)), assignees };
  return { interaction, told: [(ended) => interactionEvent(ended, 'interaction.escalated', escalation, data)] };
}
