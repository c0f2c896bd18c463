/** What answer, decline, cancel and update share: decide on the loaded interaction and save the outcome. */
import { HoldpointError, type Interaction } from '@holdpoint/protocol';
import type { Caller, Verb } from '../domain/caller.ts';
import type { Command, Outcome } from '../domain/command.ts';
import { decide } from '../domain/decide.ts';
import { nextMoment } from '../domain/moments.ts';
import type { Change, TimerChange } from '../stores/store.ts';
import type { Context } from './context.ts';
import { withDigest } from './digest-of.ts';
import { loadInteraction } from './load.ts';
import { perform } from './perform.ts';

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
  const dueAt = nextMoment(interaction);
  const isMoved = dueAt !== (before ? nextMoment(before) : undefined);
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
