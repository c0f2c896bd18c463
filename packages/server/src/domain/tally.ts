/** How votes add up to an answer: the first one, n that agree, or all of n agreeing. */
import {
  type Answer,
  canonicalJson,
  type Interaction,
  pickedOptions,
  pickField,
  type Question,
} from '@holdpoint/protocol';
import { bareId } from './people/assignee.ts';
import { isQuorum } from './quorum.ts';
import { allAssignees, voterCount } from './state.ts';

/** `answer`: the last vote decides. `split`: no agreement is possible any more. `open`: more votes are needed. */
export type Tally = 'answer' | 'split' | 'open';

export function tally(interaction: Interaction, votes: readonly Answer[]): Tally {
  const { resolution } = interaction;
  if (resolution.mode === 'first') return 'answer';
  const verdicts = votes.map((vote) => verdict(interaction, vote));
  const last = verdicts.at(-1);
  if (resolution.mode === 'unanimous') {
    if (last === 'declined') return 'answer';
    if (verdicts.some((other) => other !== last)) return 'split';
    return votes.length >= resolution.count ? 'answer' : 'open';
  }
  if ('of' in resolution) {
    const agreed = votes.filter((_, index) => verdicts[index] === last).map(({ groups = [] }) => groups);
    return isQuorum(resolution.of, agreed) ? 'answer' : 'open';
  }
  if (count(verdicts, last) >= resolution.count) return 'answer';
  return canAgree(interaction, votes) ? 'open' : 'split';
}

/** Reports whether the votes can still reach the count, if every assignee who has not voted agrees. */
export function canAgree(interaction: Interaction, votes: readonly Answer[]): boolean {
  const { resolution } = interaction;
  if (resolution.mode === 'first' || 'of' in resolution) return true;
  const verdicts = votes.map((vote) => verdict(interaction, vote));
  const best = verdicts.length === 0 ? 0 : Math.max(...verdicts.map((each) => count(verdicts, each)));
  return best + votersLeft(interaction, votes) >= resolution.count;
}

/** Returns how many assignees may still vote, now or after an escalation. Somebody who voted may no longer be an assignee. */
function votersLeft(asked: Interaction, votes: readonly Answer[]): number {
  if (voterCount(asked) === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const voted = votes.flatMap(({ by, assignee, countsAs, keyOwner }) =>
    [by.id, by.onBehalfOf, assignee, countsAs, keyOwner].filter((id) => id !== undefined),
  );
  const used = new Set(voted.map(bareId));
  return new Set([...allAssignees(asked)].map(bareId).filter((id) => !used.has(id))).size;
}

export const agreeing = (interaction: Interaction, votes: readonly Answer[], vote: Answer): Answer[] =>
  votes.filter((other) => verdict(interaction, other) === verdict(interaction, vote));

const count = <T>(all: readonly T[], one: T): number => all.filter((each) => each === one).length;

/**
 * Returns a text that is equal for votes that agree. Approvals and choices agree only on the same values: two people who
 * edited the arguments differently have not approved the same thing. All accepted forms agree.
 */
function verdict(question: Question, { decision, values, payload }: Answer): string {
  if (decision === 'declined') return 'declined';
  if (question.kind === 'form' || question.kind === 'input') return 'accepted';
  const pick = pickField(question)?.name;
  const sorted = Object.entries(values).map(([name, value]) => [name, inOrder(value)]);
  const grouped = pick !== undefined && Object.hasOwn(values, pick) ? { [pick]: pickGroup(question, values) } : {};
  return canonicalJson([{ ...Object.fromEntries(sorted), ...grouped }, payload ?? null]);
}

/** "Allow" and "Always allow" agree, unless several options are of that kind. */
function pickGroup(question: Question, values: Answer['values']): unknown {
  const pick = pickField(question);
  const picked = pickedOptions(question, values);
  const kind = picked[0]?.kind;
  const peers = pick?.options.filter((option) => option.kind === kind) ?? [];
  if (pick?.type !== 'multi_select' && kind !== undefined && kind !== 'answer' && peers.length === 1)
    return kind.split('_')[0];
  // A list, so that no value of an option equals a group.
  return picked.map(({ value }) => value);
}

/** Ignores the order in which boxes were ticked. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value;
