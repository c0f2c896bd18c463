/** Removes an assignee from a pending question, because the person may no longer answer. */
import { defined, type Interaction } from '@holdpoint/protocol';
import { accept, type CommandOf, type Decided, refuse } from './command.ts';
import { bareId } from './people/assignee.ts';
import { currentState, interactionEvent, next, withoutClaim } from './state.ts';

/**
 * An empty list stays: nobody can answer, until an escalation adds somebody or an admin cancels the question. Without a
 * list, everybody could answer. Votes stay, because they were given by somebody who was asked.
 */
export function decideUnassign(
  state: Interaction,
  { by, assignee, digestOf }: CommandOf<'unassign'>,
  now: number,
): Decided {
  const { responder, escalations, ...rest } = state;
  if (!responder.assignees?.includes(assignee))
    return refuse({
      code: 'person-not-found',
      detail: `The question is not for ${assignee}.`,
      current: currentState(state),
    });
  const assignees = responder.assignees.filter((each) => each !== assignee);
  const ahead = escalations
    ?.map((each) => (each.doneAt ? each : { ...each, assignees: each.assignees.filter((id) => id !== assignee) }))
    .filter(({ assignees: added }) => added.length > 0);
  const left = ahead && ahead.length > 0 ? ahead : undefined;
  const changed = next({ ...rest, responder, ...defined({ escalations: left }) }, now, {
    responder: { ...responder, assignees },
  });
  // The digest covers who may answer.
  const isClaimer = state.claim?.by.id === bareId(assignee);
  const interaction = { ...(isClaimer ? withoutClaim(changed) : changed), digest: digestOf(changed) };
  return accept({
    interaction,
    events: [
      interactionEvent(interaction, 'interaction.reassigned', by, { added: [], removed: [assignee], assignees }),
    ],
  });
}
