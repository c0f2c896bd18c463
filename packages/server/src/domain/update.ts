/** Changing a question while it is pending, as long as nobody has voted on what it said. */
import { type Interaction, jsonEqual } from '@holdpoint/protocol';
import { checkEscalations, checkPolicy } from './check-policy.ts';
import { type CommandOf, type Decided, refuse, refuseInput } from './command.ts';
import { inUtc, withNextReminder } from './moments.ts';
import { currentState, interactionEvent, isDue, next, tooLate } from './state.ts';

/** What a person sees and judges; the rest may change under a vote. */
const shown = ['title', 'body', 'fields', 'recommendations', 'submitLabel'] as const;
const unshown = ['deadline', 'escalations', 'trace', 'metadata'] as const;

type Patch = CommandOf<'update'>['patch'];

export function decideUpdate(state: Interaction, command: CommandOf<'update'>, now: number): Decided {
  const { patch, question, digest, by } = command;
  if (isDue(state, now)) return refuse(tooLate(state));
  if (state.votes.length > 0 && (namesWords(patch) || isSpelledAnew(state, patch)))
    return refuse({
      code: 'interaction-has-votes',
      detail: 'A question that somebody has voted on keeps its words; cancel it and ask anew.',
      current: currentState(state),
    });
  const patched = applyPatch(next(state, now, { ...question, digest }), patch);
  const problems = [...checkPolicy(patched, now), ...(patch.escalations ? checkEscalations(patched, now) : [])];
  if (problems.length > 0) return refuseInput(problems);
  const interaction = inUtc(patch.deadline === undefined ? patched : withNextReminder(patched, now));
  const data = { changed: changes(state, interaction, patch) };
  return {
    ok: true,
    outcome: { interaction, events: [interactionEvent(interaction, 'interaction.updated', by, data)] },
  };
}

const namesWords = (patch: Patch): boolean => shown.some((name) => patch[name] !== undefined);

/** A dialect shows what it was sent, so that another spelling would be other words for who votes next. */
const isSpelledAnew = ({ spelling }: Interaction, patch: Patch): boolean =>
  patch.spelling !== undefined && !jsonEqual(patch.spelling, spelling);

function applyPatch(state: Interaction, patch: Patch): Interaction {
  const entries = Object.entries(state).filter(([name]) => patch[name as keyof Patch] !== null);
  const set = unshown.flatMap((name) => (patch[name] ? [[name, patch[name]]] : []));
  const { spelling, ...patched } = { ...Object.fromEntries(entries), ...Object.fromEntries(set) } as Interaction;
  const spelled = patch.spelling ?? (namesWords(patch) ? undefined : spelling);
  return spelled ? { ...patched, spelling: spelled } : patched;
}

/** What the patch names and what changed with it, as it reads now; null where it was removed. */
function changes(before: Interaction, after: Interaction, patch: Patch): Record<string, unknown> {
  const isChanged = (name: (typeof shown | typeof unshown)[number]) =>
    patch[name] !== undefined || !jsonEqual(before[name], after[name]);
  return Object.fromEntries([...shown, ...unshown].filter(isChanged).map((name) => [name, after[name] ?? null]));
}
