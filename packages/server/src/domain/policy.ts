/** The policy of an interaction: who may answer, when it closes and to what it belongs. */
import {
  type CreateInteraction,
  type InputField,
  type Interaction,
  isInputField,
  isTimestamp,
  limits,
  offersAlways,
  type Problem,
  pickField,
  pickName,
  type QuestionInput,
} from '@holdpoint/protocol';
import type { Policy } from './command.ts';
import { readAnswer } from './read-answer.ts';
import { isDue, voterCount } from './state.ts';

/** Separates the question of a create from its policy, and fills in the defaults. */
export function readPolicy(asked: CreateInteraction): { input: QuestionInput; policy: Policy } {
  const {
    blocking,
    responder,
    resolution,
    deadline,
    escalations,
    grant,
    run,
    origin,
    trace,
    metadata,
    original,
    callbackUrl,
    ...input
  } = asked;
  const policy: Policy = {
    blocking: blocking ?? true,
    responder: responder ?? { type: 'human' },
    resolution: resolution ?? { mode: 'first' },
    origin: origin ?? { type: 'agent' },
    ...(deadline ? { deadline } : {}),
    ...(escalations ? { escalations } : {}),
    ...(grant ? { grant } : {}),
    ...(run ? { run } : {}),
    ...(trace ? { trace } : {}),
    ...(metadata ? { metadata } : {}),
    ...(original ? { original } : {}),
    ...(callbackUrl === undefined ? {} : { hasCallback: true as const }),
  };
  return { input, policy };
}

export function checkPolicy(asked: Interaction, now: number): Problem[] {
  return [...checkDeadline(asked, now), ...checkResolution(asked), ...checkGrant(asked)];
}

function checkDeadline(asked: Interaction, now: number): Problem[] {
  const { deadline } = asked;
  if (!deadline) return [];
  if (!isTimestamp(deadline.at))
    return [{ pointer: '/deadline/at', code: 'datetime', message: 'Write the deadline like 2030-01-31T12:00:00Z.' }];
  const problems: Problem[] = [];
  if (isDue(asked, now))
    problems.push({ pointer: '/deadline/at', code: 'past', message: 'The deadline must be in the future.' });
  if (deadline.outcome === 'recommended' && !isAnsweredByRecommendations(asked))
    problems.push({
      pointer: '/recommendations',
      code: 'incomplete',
      message: 'To take the recommended answer at the deadline, the recommendations must be a whole, valid answer.',
    });
  return problems;
}

const isAnsweredByRecommendations = (asked: Interaction): boolean =>
  asked.payloadSchema === undefined && readAnswer(asked, { values: asked.recommendations ?? {} }).ok;

/** Apart from the rest, because those that were set before may lie in the past. */
export function checkEscalations(asked: Interaction, now: number): Problem[] {
  const { escalations = [], responder, deadline } = asked;
  if (escalations.length === 0) return [];
  if (!responder.assignees) {
    const message = 'Everybody may answer already. Name the assignees whom the escalation adds to.';
    return [{ pointer: '/responder/assignees', code: 'required', message }];
  }
  const problems = escalations.flatMap(({ at }, index): Problem[] => {
    const pointer = `/escalations/${index}/at`;
    if (!isTimestamp(at)) return [{ pointer, code: 'datetime', message: 'Write the time like 2030-01-31T12:00:00Z.' }];
    if (Date.parse(at) <= now) return [{ pointer, code: 'past', message: 'An escalation must be in the future.' }];
    if (!deadline || !isTimestamp(deadline.at) || Date.parse(at) < Date.parse(deadline.at)) return [];
    return [{ pointer, code: 'max', message: 'An escalation must come before the deadline.' }];
  });
  if (voterCount(asked) > limits.assignees)
    problems.push({
      pointer: '/escalations',
      code: 'max',
      message: `With all escalations there would be more than ${limits.assignees} assignees.`,
    });
  return problems;
}

function checkResolution(asked: Interaction): Problem[] {
  const { resolution } = asked;
  const voters = voterCount(asked);
  if (resolution.mode === 'first' || resolution.count <= voters) return [];
  const message = `${resolution.count} votes are needed, but only ${voters} may answer.`;
  return [{ pointer: '/resolution/count', code: 'max', message }];
}

function checkGrant(asked: Interaction): Problem[] {
  const { grant, run } = asked;
  const pick = pickField(asked);
  if (!grant) {
    if (!offersAlways(asked)) return [];
    const message = 'An option of kind allow_always or reject_always needs a grant: what it stands for, and how far.';
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
    problems.push({ pointer: '/run', code: 'required', message: 'A grant of scope run needs the run it stands for.' });
  const named = new Set([...Object.keys(asked.arguments ?? {}), ...asked.fields.filter(isInputField).map(nameOf)]);
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

const nameOf = ({ name }: InputField): string => name;
