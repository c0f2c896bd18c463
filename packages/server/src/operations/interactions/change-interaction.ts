/** Changes an interaction: loads it, decides by the rules of the domain, and saves the outcome. */
import { hash } from 'node:crypto';
import { type Cancel, currentScheme, HoldpointError, type Interaction, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, type Verb } from '../../domain/caller.ts';
import type { Command, Outcome } from '../../domain/command.ts';
import { decide } from '../../domain/decide.ts';
import { nextDueTime } from '../../domain/due-times.ts';
import type { Change, TimerChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadInteraction } from './interactions.ts';

interface InteractionChange {
  verb: Verb;
  input: { interactionId: string; expectedVersion?: number; idempotencyKey?: string };
  command(state: Interaction): Command | Promise<Command>;
  /** What else is saved with the outcome. */
  beside?(outcome: Outcome): Pick<Change, 'documents' | 'timers'>;
}

export function changeInteraction(
  context: Context,
  caller: Caller,
  { verb, input, command, beside = () => ({}) }: InteractionChange,
): Promise<Interaction> {
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const state = await loadInteraction(context, caller, input.interactionId);
      const { expectedVersion } = input;
      const asked = { ...(await command(state)), ...(expectedVersion === undefined ? {} : { expectedVersion }) };
      const decided = decide(withDigest(state), asked, context.clock.now());
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const result = decided.outcome.interaction;
      const resource = { type: 'interaction', id: result.id } as const;
      const { timers = [], ...more } = beside(decided.outcome);
      const change = { ...toChange(decided.outcome, state), ...more };
      if (timers.length > 0) change.timers = [...(change.timers ?? []), ...timers];
      return { change, resource, result };
    },
    reload: (id) => loadInteraction(context, caller, id),
  });
}

export function toChange(outcome: Outcome, before: Interaction | null): Omit<Change, 'orgId'> {
  const { interaction, events, grant, secrets } = outcome;
  const dueAt = nextDueTime(interaction);
  const isMoved = dueAt !== (before ? nextDueTime(before) : undefined);
  const { id, closedAt } = interaction;
  const isCalledBack = interaction.hasCallback && closedAt !== undefined && before?.closedAt === undefined;
  const timers: TimerChange[] = [
    ...(isMoved ? [{ kind: 'interaction' as const, id, dueAt: dueAt ?? null }] : []),
    ...(isCalledBack ? [{ kind: 'callback' as const, id, dueAt: Date.parse(closedAt) }] : []),
  ];
  return {
    interaction: { record: interaction, expectedVersion: before?.version ?? 0 },
    ...(timers.length > 0 ? { timers } : {}),
    ...(grant ? { newGrant: grant } : {}),
    ...(secrets ? { newSecrets: { interactionId: interaction.id, values: secrets } } : {}),
    log: { threadId: interaction.threadId, events },
  };
}

export const digestOf = (asked: Interaction): string =>
  currentScheme.prefix + hash('sha256', currentScheme.textOf(asked), 'hex');

/** Records of before there were digests have none until they are answered. */
const withDigest = (interaction: Interaction): Interaction =>
  interaction.digest === undefined ? { ...interaction, digest: digestOf(interaction) } : interaction;

export function cancelInteraction(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & Cancel & Write,
): Promise<Interaction> {
  const { reason } = input;
  return changeInteraction(context, caller, {
    verb: 'cancelInteraction',
    input,
    command: () => ({ type: 'cancel', by: actorOf(caller), ...(reason === undefined ? {} : { reason }) }),
  });
}

/**
 * Called when something of it falls due. Where an answer or another node was faster, nothing is left to do; a vote that
 * came in between is no reason to be late.
 */
export async function expireInteraction(
  { store, clock, newId }: Pick<Context, 'store' | 'clock' | 'newId'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const state = (await store.getInteraction({ orgId, id })) ?? null;
    const decided = decide(state && withDigest(state), { type: 'expire', answerId: newId() }, clock.now());
    return decided.ok ? store.commit({ orgId, ...toChange(decided.outcome, state) }) : undefined;
  });
}
