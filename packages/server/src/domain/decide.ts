/** The rules: (state, command, now) → the new state and its events, or a fault. No clock, no I/O, no randomness. */
import { defined, type Interaction } from '@holdpoint/protocol';
import { decideAnswer, decideDecline } from './answer.ts';
import { decideClaim, decideDelegate, decideReassign, decideRelease } from './assignment.ts';
import { accept, type Command, type CommandOf, type Decided, refuse, refuseInput } from './command.ts';
import { inUtc, withNextReminder } from './due-times.ts';
import { decideExpire } from './expire.ts';
import { answerByGrant } from './grants.ts';
import { acceptsAtDeadline, checkEscalations, checkPolicy, checkResolution, onlyAdmins } from './policy.ts';
import {
  closeWithAnswer,
  currentState,
  interactionEvent,
  next,
  outcomeOf,
  timestamp,
  versionConflict,
} from './state.ts';
import { refusal } from './transitions.ts';
import { decideUnassign } from './unassign.ts';
import { decideUpdate } from './update.ts';

export function decide(state: Interaction | null, command: Command, now: number): Decided {
  const fault = refusal(state, command.type);
  if (fault) return refuse(fault);
  if (command.type === 'create') return decideCreate(command, now);
  if (!state) return refuse({ code: 'interaction-not-found', detail: 'There is no such interaction.' });
  const { expectedVersion = state.version } = command;
  if (expectedVersion !== state.version)
    return refuse(versionConflict(expectedVersion, { ...currentState(state), version: state.version }));
  switch (command.type) {
    case 'answer':
      return decideAnswer(state, command, now);
    case 'decline':
      return decideDecline(state, command, now);
    case 'claim':
      return decideClaim(state, command, now);
    case 'release':
      return decideRelease(state, command, now);
    case 'reassign':
      return decideReassign(state, command, now);
    case 'delegate':
      return decideDelegate(state, command, now);
    case 'cancel':
      return decideCancel(state, command, now);
    case 'update':
      return decideUpdate(state, command, now);
    case 'unassign':
      return decideUnassign(state, command, now);
    case 'expire':
      return decideExpire(state, command, now);
  }
}

/** The question is valid already. Checks its policy, and answers at once if a grant applies. */
function decideCreate(command: CommandOf<'create'>, now: number): Decided {
  const at = timestamp(now);
  const { id, threadId, question, digestOf, policy, by, isAdmin } = command;
  const sent: Interaction = {
    ...{ id, threadId, status: 'pending', version: 1 },
    ...question,
    ...policy,
    ...{ votes: [], createdBy: by, createdAt: at, updatedAt: at },
  };
  const problems = [...checkPolicy(sent, now), ...checkResolution(sent), ...checkEscalations(sent, now)];
  if (problems.length > 0) return refuseInput(problems, 'invalid-input');
  if (acceptsAtDeadline(sent) && !isAdmin) return refuse(onlyAdmins.acceptByDeadline);
  const timed = inUtc(withNextReminder(sent, now));
  const asked = { ...timed, digest: digestOf(timed) };

  const created = interactionEvent(asked, 'interaction.created', by, { interaction: asked });
  const automatic = asked.assurance ? undefined : answerByGrant(asked, command, now);
  if (!automatic) return accept({ interaction: asked, events: [created] });
  const closed = closeWithAnswer(asked, [automatic], automatic, now);
  return accept({ ...closed, events: [created, ...closed.events] });
}

function decideCancel(state: Interaction, { by, reason }: CommandOf<'cancel'>, now: number): Decided {
  const interaction = next(state, now, {
    ...{ status: 'cancelled', closedReason: 'cancelled', closedAt: timestamp(now), closedBy: by },
    ...defined({ cancelReason: reason }),
  });
  return accept(outcomeOf(interaction, 'interaction.cancelled', by, defined({ reason })));
}
