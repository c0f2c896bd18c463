/** Which votes agree, and when they decide a question. The same for the server and for whoever verifies an answer later. */

import { canonicalJson } from './canonical-json.ts';
import type { Answer, Interaction } from './interaction.ts';
import { pickedOptions, pickField } from './pick.ts';
import { isQuorum } from './quorum.ts';

type Asked = Pick<Interaction, 'kind' | 'fields' | 'resolution'>;
type Vote = Pick<Answer, 'decision' | 'values' | 'payload' | 'groups'>;

/** Reports whether the last vote decides: the first one, n that agree, or all of n agreeing. */
export function isDecided(asked: Asked, votes: readonly Vote[]): boolean {
  const { resolution } = asked;
  const last = votes.at(-1);
  if (!last) return false;
  if (resolution.mode === 'first') return true;
  const agreed = agreeing(asked, votes, last);
  if ('of' in resolution)
    return isQuorum(
      resolution.of,
      agreed.map(({ groups = [] }) => groups),
    );
  if (resolution.mode === 'unanimous' && last.decision === 'declined') return true;
  const isSplit = resolution.mode === 'unanimous' && agreed.length < votes.length;
  return agreed.length >= resolution.count && !isSplit;
}

/** Returns the votes that agree with one of them. */
export function agreeing<T extends Vote>(asked: Asked, votes: readonly T[], vote: Vote): T[] {
  const wanted = verdict(asked, vote);
  return votes.filter((other) => verdict(asked, other) === wanted);
}

/**
 * Returns a text that is equal for votes that agree. Approvals and choices agree only on the same values: two people who
 * edited the arguments differently have not approved the same thing. All accepted forms agree.
 */
function verdict(question: Asked, { decision, values, payload }: Vote): string {
  if (decision === 'declined') return 'declined';
  if (question.kind === 'form' || question.kind === 'input') return 'accepted';
  const pick = pickField(question)?.name;
  const sorted = Object.entries(values).map(([name, value]) => [name, inOrder(value)]);
  const grouped = pick !== undefined && Object.hasOwn(values, pick) ? { [pick]: pickGroup(question, values) } : {};
  return canonicalJson([{ ...Object.fromEntries(sorted), ...grouped }, payload ?? null]);
}

/** "Allow" and "Always allow" agree, unless several options are of that kind. */
function pickGroup(question: Asked, values: Answer['values']): unknown {
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
