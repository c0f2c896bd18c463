/** How votes add up to an answer: the first one, n that agree, or all of n agreeing. */
import {
  type Answer,
  canonicalJson,
  type Interaction,
  pickedOptions,
  pickField,
  type Question,
} from '@holdpoint/protocol';
import { voterCount } from './state.ts';

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
  const still = voterCount(interaction) - votes.length;
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
  const pick = pickField(question)?.name;
  const said = Object.entries(values).map(([name, value]) => [
    name,
    name === pick ? pickGroup(question, values) : inOrder(value),
  ]);
  return canonicalJson([Object.fromEntries(said), payload ?? null]);
}

/** "Allow" and "Always allow" agree, unless there are several options of that kind to tell apart. */
function pickGroup(question: Question, values: Answer['values']): unknown {
  const pick = pickField(question);
  const picked = pickedOptions(question, values);
  const kind = picked[0]?.kind;
  const peers = pick?.options.filter((option) => option.kind === kind) ?? [];
  if (pick?.type !== 'multi_select' && kind !== undefined && kind !== 'answer' && peers.length === 1)
    return kind.split('_')[0];
  // A list, so that no value an asker gives an option reads like a group.
  return picked.map(({ value }) => value);
}

/** The same boxes ticked in another order are the same boxes. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value;
