/** Changes a pending question. Once somebody has voted, its text stays. */
import { currentScheme, type Fault, type Interaction, isApproval, jsonEqual } from '@holdpoint/protocol';
import { accept, type CommandOf, type Decided, refuse, refuseInput } from './command.ts';
import { inUtc, withNextReminder } from './due-times.ts';
import { acceptsAtDeadline, checkEscalations, checkPolicy, checkResolution, onlyAdmins } from './policy.ts';
import { currentState, isDue, next, outcomeOf, tooLate } from './state.ts';

/** The properties that a person sees and judges. */
const shown = ['title', 'body', 'fields', 'recommendations', 'submitLabel'] as const;
/** The properties that may change after a vote. */
const unshown = ['deadline', 'escalations', 'trace', 'metadata'] as const;

type Patch = CommandOf<'update'>['patch'];

export function decideUpdate(state: Interaction, command: CommandOf<'update'>, now: number): Decided {
  const { patch, question, digestOf, by } = command;
  if (isDue(state, now)) return refuse(tooLate(state));
  if (state.votes.length > 0 && (changesText(patch) || changesOriginal(state, patch)))
    return refuse(hasVotes(state, 'The question has votes, so its text cannot change. Cancel it and ask again.'));
  const patched = applyPatch(next(state, now, question), patch);
  const problems = [
    ...checkPolicy(patched, now),
    ...(patch.escalations === undefined ? [] : checkResolution(patched)),
    ...(patch.escalations ? checkEscalations(patched, now) : []),
  ];
  if (problems.length > 0) return refuseInput(problems, 'invalid-input');
  const timed = inUtc(patch.deadline === undefined ? patched : withNextReminder(patched, now));
  const isSame = currentScheme.textOf(timed) === currentScheme.textOf(state);
  const fault = (isSame ? undefined : mayNotAccept(state, timed, command)) ?? mayNotEscalate(state, command);
  if (fault) return refuse(fault);
  const interaction = isSame ? timed : { ...timed, digest: digestOf(timed) };
  return accept(outcomeOf(interaction, 'interaction.updated', by, { changed: changes(state, interaction, patch) }));
}

/** An agent key may not make a deadline accept an approval. After a vote nobody may. */
function mayNotAccept(state: Interaction, changed: Interaction, { isAdmin }: CommandOf<'update'>): Fault | undefined {
  if (!acceptsAtDeadline(changed)) return undefined;
  if (!isAdmin) return onlyAdmins.acceptByDeadline;
  if (state.votes.length === 0) return undefined;
  return hasVotes(state, 'The approval has votes, so a new deadline cannot accept it.');
}

/** An escalation could name the agent, or come earlier. Only if agents may answer, an agent gains by that. */
function mayNotEscalate(state: Interaction, { isAdmin, patch }: CommandOf<'update'>): Fault | undefined {
  if (isAdmin || !patch.escalations || state.responder.type === 'human' || !isApproval(state)) return undefined;
  return onlyAdmins.addResponders;
}

const hasVotes = (state: Interaction, detail: string): Fault => ({
  code: 'interaction-has-votes',
  detail,
  current: currentState(state),
});

const changesText = (patch: Patch): boolean => shown.some((name) => patch[name] !== undefined);

/** A dialect shows the original, so another original would show later voters another question. */
const changesOriginal = ({ original }: Interaction, patch: Patch): boolean =>
  patch.original !== undefined && !jsonEqual(patch.original, original);

function applyPatch(state: Interaction, patch: Patch): Interaction {
  const entries = Object.entries(state).filter(([name]) => patch[name as keyof Patch] !== null);
  const set = unshown.flatMap((name) => (patch[name] ? [[name, patch[name]]] : []));
  const { original, ...patched } = { ...Object.fromEntries(entries), ...Object.fromEntries(set) } as Interaction;
  const current = patch.original ?? (changesText(patch) ? undefined : original);
  return current ? { ...patched, original: current } : patched;
}

/** Returns the new values of the properties that the patch names or that changed with it. Null: it was removed. */
function changes(before: Interaction, after: Interaction, patch: Patch): Record<string, unknown> {
  const isChanged = (name: (typeof shown | typeof unshown)[number]) =>
    patch[name] !== undefined || !jsonEqual(before[name], after[name]);
  return Object.fromEntries([...shown, ...unshown].filter(isChanged).map((name) => [name, after[name] ?? null]));
}
