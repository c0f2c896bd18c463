/** How votes add up to an answer: the first one, n that agree, or all of n agreeing. */
import type { Answer, Interaction, Question } from '@holdpoint/protocol';
import { canonicalJson } from './canonical-json.ts';
import { pickedOption, pickField } from './read-answer.ts';

/** `answer`: the last vote settles it. `split`: no agreement can come of it any more. `open`: more votes are needed. */
export type Tally = 'answer' | 'split' | 'open';

export function tally(interaction: Interaction, votes: readonly Answer[]): Tally {
  const { resolution, responder } = interaction;
  if (resolution.mode === 'first') return 'answer';
  const verdicts = votes.map((vote) => verdict(interaction, vote));
  const last = verdicts.at(-1);
  if (resolution.mode === 'unanimous') {
    if (last === 'declined') return 'answer';
    if (verdicts.some((other) => other !== last)) return 'split';
    return votes.length >= resolution.count ? 'answer' : 'open';
  }
  if (count(verdicts, last) >= resolution.count) return 'answer';
  if (!responder.assignees) return 'open';
  const still = responder.assignees.length - votes.length;
  const best = Math.max(...verdicts.map((each) => count(verdicts, each)));
  return best + still < resolution.count ? 'split' : 'open';
}

export const agreeing = (interaction: Interaction, votes: readonly Answer[], vote: Answer): Answer[] =>
  votes.filter((other) => verdict(interaction, other) === verdict(interaction, vote));

const count = <T>(all: readonly T[], one: T): number => all.filter((each) => each === one).length;

/**
 * What a vote says, so that two can be compared. Approvals and choices agree only on the same values: two people who
 * edited the arguments differently have not approved the same thing. Forms agree by being filled in.
 */
function verdict(question: Question, { decision, values, payload }: Answer): string {
  if (decision === 'declined') return 'declined';
  if (question.kind === 'form' || question.kind === 'input') return 'accepted';
  const name = pickField(question)?.name ?? '';
  return canonicalJson([{ ...values, [name]: pickGroup(question, values) }, payload ?? null]);
}

/** "Allow" and "Always allow" agree, unless there are several options of that kind to tell apart. */
function pickGroup(question: Question, values: Answer['values']): unknown {
  const option = pickedOption(question, values);
  const peers = pickField(question)?.options.filter(({ kind }) => kind === option?.kind) ?? [];
  const isAlone = option?.kind !== undefined && option.kind !== 'answer' && peers.length === 1;
  return isAlone ? option.kind?.split('_')[0] : (option?.value ?? values[pickField(question)?.name ?? '']);
}
