/** Asking: the question is already well formed; here it meets its policy, the clock and standing grants. */
import { type Interaction, isTimestamp, type Problem, pickName } from '@holdpoint/protocol';
import { type CommandOf, type Decided, refuse } from './command.ts';
import { answerByGrant } from './grants.ts';
import { pickField, readAnswer } from './read-answer.ts';
import { closeWithAnswer, timestamp } from './state.ts';

export function decideCreate(command: CommandOf<'create'>, now: number): Decided {
  const at = timestamp(now);
  const { id, threadId, question, policy, by } = command;
  const asked: Interaction = {
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
  const problems = [...checkDeadline(asked, now), ...checkResolution(asked), ...checkGrant(asked)];
  if (problems.length > 0)
    return refuse({ code: 'invalid-input', detail: problems.map(({ message }) => message).join(' '), problems });

  const created = {
    type: 'interaction.created',
    at,
    actor: by,
    interactionId: id,
    data: { interaction: asked },
  } as const;
  const automatic = answerByGrant(asked, command.grants, command.answerId, now);
  if (!automatic) return { ok: true, outcome: { interaction: asked, events: [created] } };
  const closed = closeWithAnswer(asked, [automatic], automatic, now);
  return { ok: true, outcome: { ...closed, events: [created, ...closed.events] } };
}

export function checkDeadline(asked: Interaction, now: number): Problem[] {
  const { deadline } = asked;
  if (!deadline) return [];
  if (!isTimestamp(deadline.at))
    return [{ pointer: '/deadline/at', code: 'datetime', message: 'Write the deadline like 2030-01-31T12:00:00Z.' }];
  if (Date.parse(deadline.at) <= now)
    return [{ pointer: '/deadline/at', code: 'past', message: 'The deadline must be in the future.' }];
  if (deadline.outcome !== 'recommended') return [];
  const read = readAnswer(asked, { values: asked.recommendations ?? {} });
  if (read.ok && !asked.payloadSchema) return [];
  const message = 'To take the recommended answer at the deadline, the recommendations must be a whole, valid answer.';
  return [{ pointer: '/recommendations', code: 'incomplete', message }];
}

function checkResolution({ resolution, responder }: Interaction): Problem[] {
  if (resolution.mode === 'first' || !responder.assignees || resolution.count <= responder.assignees.length) return [];
  const message = `${resolution.count} votes are needed, but only ${responder.assignees.length} may answer.`;
  return [{ pointer: '/resolution/count', code: 'max', message }];
}

function checkGrant(asked: Interaction): Problem[] {
  const { grant, run } = asked;
  const offersAlways = pickField(asked)?.options.some(({ kind }) => kind?.endsWith('_always')) ?? false;
  if (offersAlways && !grant) {
    const message = `An option of kind allow_always or reject_always needs a grant: what it stands for, and how far.`;
    return [{ pointer: '/grant', code: 'required', message }];
  }
  if (grant && !pickField(asked)) {
    const message = `Only a choice or an approval (the field "${pickName.approval}") can be answered by a grant.`;
    return [{ pointer: '/grant', code: 'not-allowed', message }];
  }
  if (grant?.scope === 'run' && !run)
    return [{ pointer: '/run', code: 'required', message: 'A grant of scope run needs the run it stands for.' }];
  return [];
}
