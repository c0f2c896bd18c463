/** The policy of an interaction: who may answer, when it closes and to what it belongs. */
import {
  allows,
  type CreateInteraction,
  defined,
  type Fault,
  type GroupCount,
  type Interaction,
  isInputField,
  isTimestamp,
  limits,
  offersAlways,
  type Problem,
  pickedOptions,
  pickField,
  pickName,
  type QuestionInput,
  type Resolution,
} from '@holdpoint/protocol';
import { checkAssurance, storedAssurance } from './assurance.ts';
import type { Policy } from './command.ts';
import { groupAssignee } from './people/assignee.ts';
import { readAnswer } from './read-answer.ts';
import { allAssignees, isDue, voterCount } from './state.ts';

/** Separates the question of a create from its policy, and fills in the defaults. */
export function readPolicy(asked: CreateInteraction): { input: QuestionInput; policy: Policy } {
  const {
    blocking = true,
    responder: asResponder = { type: 'human' },
    resolution = { mode: 'first' },
    origin = { type: 'agent' },
    deadline,
    escalations,
    grant,
    assurance,
    run,
    trace,
    metadata,
    original,
    callbackUrl,
    ...input
  } = asked;
  const responder = storedResponder(asResponder, resolution);
  const hasCallback = callbackUrl === undefined ? undefined : (true as const);
  const given = defined({ deadline, escalations, grant, run, trace, metadata, original, hasCallback });
  return { input, policy: { blocking, responder, resolution, origin, ...given, ...storedAssurance(assurance) } };
}

/** Only the value true is stored. The groups of a quorum are its assignees. */
function storedResponder(
  { notRequester, ...responder }: Interaction['responder'],
  resolution: Resolution,
): Interaction['responder'] {
  const assignees =
    responder.assignees ?? ('of' in resolution ? resolution.of.map(({ group }) => groupAssignee(group)) : undefined);
  return { ...responder, ...defined({ assignees }), ...(notRequester ? { notRequester } : {}) };
}

/** Reports whether the deadline would pick an option that allows something. */
export const acceptsAtDeadline = (asked: Interaction): boolean =>
  asked.deadline?.outcome === 'recommended' && pickedOptions(asked, asked.recommendations ?? {}).some(allows);

const adminOnly = (pointer: string, message: string): Fault => ({
  code: 'admin-key-needed',
  detail: message,
  problems: [{ pointer, code: 'admin-only', message }],
});

/** Nobody has approved an approval that a deadline accepts, so only an admin key may arrange it. */
export const onlyAdmins = {
  reassign: adminOnly(
    '/assignees',
    'Only an admin key may reassign an approval that agents may answer, or one that a deadline accepts.',
  ),
  delegate: adminOnly('/to', 'An agent cannot hand an approval to somebody else.'),
  acceptByDeadline: adminOnly(
    '/deadline/outcome',
    'Only an admin key may let a deadline accept an approval, or change one that a deadline accepts. ' +
      'Use the outcome expire or decline.',
  ),
  addResponders: adminOnly(
    '/escalations',
    'Only an admin key may change the escalations of an approval that agents may answer.',
  ),
};

export const checkPolicy = (asked: Interaction, now: number): Problem[] => [
  ...checkDeadline(asked, now),
  ...checkResponder(asked),
  ...checkGrant(asked),
  ...checkAssurance(asked),
];

function checkDeadline(asked: Interaction, now: number): Problem[] {
  const { deadline } = asked;
  if (!deadline) return [];
  if (!isTimestamp(deadline.at))
    return [{ pointer: '/deadline/at', code: 'datetime', message: 'Write the deadline as 2030-01-31T12:00:00Z.' }];
  const problems: Problem[] = [];
  if (isDue(asked, now))
    problems.push({ pointer: '/deadline/at', code: 'past', message: 'The deadline must be in the future.' });
  if (deadline.outcome === 'recommended' && !isAnsweredByRecommendations(asked))
    problems.push({
      pointer: '/recommendations',
      code: 'incomplete',
      message: 'The outcome recommended needs recommendations that are a complete, valid answer.',
    });
  return problems;
}

const isAnsweredByRecommendations = (asked: Interaction): boolean =>
  asked.payloadSchema === undefined && readAnswer(asked, { values: asked.recommendations ?? {} }).ok;

/** A check of its own, because earlier escalations may lie in the past when another part of the policy changes. */
export function checkEscalations(asked: Interaction, now: number): Problem[] {
  const { escalations = [], responder, deadline } = asked;
  if (escalations.length === 0) return [];
  if (!responder.assignees) {
    const message = 'Everyone may already answer. Give assignees, so that the escalation can add more.';
    return [{ pointer: '/responder/assignees', code: 'required', message }];
  }
  const problems = escalations.flatMap(({ at }, index): Problem[] => {
    const pointer = `/escalations/${index}/at`;
    if (!isTimestamp(at)) return [{ pointer, code: 'datetime', message: 'Write the time as 2030-01-31T12:00:00Z.' }];
    if (Date.parse(at) <= now) return [{ pointer, code: 'past', message: 'An escalation must be in the future.' }];
    if (!deadline || !isTimestamp(deadline.at) || Date.parse(at) < Date.parse(deadline.at)) return [];
    return [{ pointer, code: 'max', message: 'An escalation must come before the deadline.' }];
  });
  if (allAssignees(asked).size > limits.assignees)
    problems.push({
      pointer: '/escalations',
      code: 'max',
      message: `With all escalations there would be more than ${limits.assignees} assignees.`,
    });
  return problems;
}

function checkResponder({ responder: { type, notRequester } }: Interaction): Problem[] {
  if (!notRequester || type === 'human' || type === 'any') return [];
  const message = 'Only people can be other than the requester. Use the type human.';
  return [{ pointer: '/responder/notRequester', code: 'not-allowed', message }];
}

/** A check of its own, because assignees who were deactivated leave too few to agree. Other parts may still change. */
export function checkResolution(asked: Interaction): Problem[] {
  const { resolution } = asked;
  if ('of' in resolution) return checkGroups(asked, resolution.of);
  const voters = voterCount(asked);
  if (resolution.mode === 'first' || resolution.count <= voters) return [];
  const message = `${resolution.count} votes are needed, but only ${voters} may answer.`;
  return [{ pointer: '/resolution/count', code: 'max', message }];
}

/** Only members of the groups can fill the places of the quorum, so nobody else is asked. */
function checkGroups({ responder, escalations }: Interaction, of: readonly GroupCount[]): Problem[] {
  const at = (pointer: string, code: string, message: string): Problem[] => [{ pointer, code, message }];
  const groups = of.map(({ group }) => groupAssignee(group));
  const { assignees = groups, type } = responder;
  const people = of.reduce((sum, { count }) => sum + count, 0);
  return [
    ...groups.flatMap((group, index) =>
      groups.indexOf(group) === index ? [] : at(`/resolution/of/${index}/group`, 'unique', 'Name each group once.'),
    ),
    ...(people > limits.votes ? at('/resolution/of', 'max', `At most ${limits.votes} votes can be needed.`) : []),
    ...(assignees.length === groups.length && groups.every((group) => assignees.includes(group))
      ? []
      : at('/responder/assignees', 'not-allowed', 'The groups of the quorum answer. Leave out assignees.')),
    ...(type === 'human' || type === 'any'
      ? []
      : at('/responder/type', 'not-allowed', 'Only people are in groups. Use the type human.')),
    ...(escalations ? at('/escalations', 'not-allowed', 'An escalation cannot add to the groups of a quorum.') : []),
  ];
}

function checkGrant(asked: Interaction): Problem[] {
  const { grant, run } = asked;
  const pick = pickField(asked);
  if (!grant) {
    if (!offersAlways(asked)) return [];
    const message = 'An option of kind allow_always or reject_always needs a grant with its key and scope.';
    return [{ pointer: '/grant', code: 'required', message }];
  }
  const problems: Problem[] = [];
  if (!pick || pick.type === 'multi_select')
    problems.push({
      pointer: '/grant',
      code: 'not-allowed',
      message: `Only picking one option, in a choice or an approval (the field "${pickName.approval}"), can give a grant.`,
    });
  if (grant.scope === 'run' && !run)
    problems.push({ pointer: '/run', code: 'required', message: 'A grant of scope run needs a run.' });
  const fields = asked.fields.filter(isInputField).map(({ name }) => name);
  const named = new Set([...Object.keys(asked.arguments ?? {}), ...fields]);
  if (pick) named.delete(pick.name);
  for (const [index, name] of (grant.variable ?? []).entries())
    if (!named.has(name))
      problems.push({
        pointer: `/grant/variable/${index}`,
        code: 'unknown',
        message: `"${name}" is not an argument of this question, so it cannot be variable.`,
      });
  return problems;
}
