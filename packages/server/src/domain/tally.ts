/** How votes add up to an answer: the first one, n that agree, or all of n agreeing. */
import {
  type Answer,
  canonicalJson,
  type Interaction,
  pickedOptions,
  pickField,
  type Question,
} from '@holdpoint/protocol';
import { personAssignee } from './people/assignee.ts';
import { allAssignees, voterCount } from './state.ts';

/** `answer`: the last vote decides. `split`: no agreement is possible any more. `open`: more votes are needed. */
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
  const still = stillVoting(interaction, votes);
  const best = Math.max(...verdicts.map((each) => count(verdicts, each)));
  return best + still < resolution.count ? 'split' : 'open';
}

/** Returns how many assignees have not voted. Somebody who voted may not be an assignee any more. */
function stillVoting(interaction: Interaction, votes: readonly Answer[]): number {
  if (voterCount(interaction) === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const voted = new Set(votes.flatMap(({ by }) => [by.id, personAssignee(by.id)]));
  return [...allAssignees(interaction)].filter((assignee) => !voted.has(assignee)).length;
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
