/** What a question and its policy must satisfy together, when it is asked and after every update. */
import { type Interaction, isTimestamp, type Problem, pickName } from '@holdpoint/protocol';
import { pickField, readAnswer } from './read-answer.ts';
import { isDue, voterCount } from './state.ts';

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

function checkResolution({ resolution, responder }: Interaction): Problem[] {
  const voters = voterCount(responder);
  if (resolution.mode === 'first' || resolution.count <= voters) return [];
  const message = `${resolution.count} votes are needed, but only ${voters} may answer.`;
  return [{ pointer: '/resolution/count', code: 'max', message }];
}

function checkGrant(asked: Interaction): Problem[] {
  const { grant, run } = asked;
  const pick = pickField(asked);
  if (!grant) {
    if (!pick?.options.some(({ kind }) => kind?.endsWith('_always'))) return [];
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
  return problems;
}
