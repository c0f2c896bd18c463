/** Asking: the question is already well formed; here it meets its policy, the clock and standing grants. */
import type { Interaction } from '@holdpoint/protocol';
import { type CommandOf, type Decided, refuse, refuseInput } from './command.ts';
import { acceptsAtDeadline, onlyAdmins } from './deadline-approval.ts';
import { inUtc, withNextReminder } from './due-times.ts';
import { answerByGrant } from './grants.ts';
import { checkEscalations, checkPolicy } from './policy.ts';
import { closeWithAnswer, interactionEvent, timestamp } from './state.ts';

export function decideCreate(command: CommandOf<'create'>, now: number): Decided {
  const at = timestamp(now);
  const { id, threadId, question, digestOf, policy, by, isAdmin } = command;
  const sent: Interaction = {
    id,
    threadId,
    status: 'pending',
    version: 1,
    ...question,
    ...policy,
    votes: [],
    createdBy: by,
    createdAt: at,
    updatedAt: at,
  };
  const problems = [...checkPolicy(sent, now), ...checkEscalations(sent, now)];
  if (problems.length > 0) return refuseInput(problems);
  if (acceptsAtDeadline(sent) && !isAdmin) return refuse(onlyAdmins.acceptByDeadline);
  const timed = inUtc(withNextReminder(sent, now));
  const asked = { ...timed, digest: digestOf(timed) };

  const created = interactionEvent(asked, 'interaction.created', by, { interaction: asked });
  const automatic = answerByGrant(asked, command.grants, command.answerId, now);
  if (!automatic) return { ok: true, outcome: { interaction: asked, events: [created] } };
  const closed = closeWithAnswer(asked, [automatic], automatic, now);
  return { ok: true, outcome: { ...closed, events: [created, ...closed.events] } };
}
