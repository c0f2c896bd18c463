/** Changes an interaction: loads it, decides by the rules of the domain, and saves the outcome. */
import { hash } from 'node:crypto';
import {
  checkQuestion,
  currentScheme,
  defined,
  fail,
  HoldpointError,
  type Interaction,
  isApproval,
  limits,
  type Question,
  sameActor,
  type UpdateInteraction,
} from '@holdpoint/protocol';
import { highest, storedAssurance } from '../../domain/assurance.ts';
import { actorOf, type Caller, isAdmin, isClient, type Verb } from '../../domain/caller.ts';
import type { Command, Outcome } from '../../domain/command.ts';
import { decide } from '../../domain/decide.ts';
import { dueAssignees, nextDueTime } from '../../domain/due-times.ts';
import type { TimerChange } from '../../stores/store.ts';
import { approvalMinimum } from '../access/org-settings.ts';
import type { Context, FireTimer, Operation } from '../context.ts';
import { checkJsonBounds, invalidInput } from '../invalid-input.ts';
import { deactivatedAmong, withKnownAssignees } from '../people/assignees.ts';
import { decidedOrThrow, type OrgChange, perform } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadInteraction, loadUnscoped } from './interactions.ts';
import { nameResponders } from './responders.ts';

interface InteractionChange {
  verb: Verb;
  input: { interactionId: string; expectedVersion?: number; idempotencyKey?: string };
  command(state: Interaction): Command | Promise<Command>;
  /** A repeated call returns the interaction also to a caller who may no longer see it. */
  isReloadedUnscoped?: true;
  /** Returns other records to save in the same change. */
  alsoSave?(outcome: Outcome): Pick<OrgChange, 'documents' | 'timers'>;
}

export function changeInteraction(
  context: Context,
  caller: Caller,
  { verb, input, command, isReloadedUnscoped, alsoSave = () => ({}) }: InteractionChange,
): Promise<Interaction> {
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const state = await loadInteraction(context, caller, input.interactionId);
      const { expectedVersion } = input;
      const asked = { ...(await command(state)), ...defined({ expectedVersion }) };
      const decided = decide(withDigest(state), asked, context.clock.now());
      if (!decided.ok && 'by' in asked)
        throw new HoldpointError(
          await nameResponders(context, caller.orgId, { fault: decided.fault, state, responder: asked }),
        );
      const { outcome } = decidedOrThrow(decided);
      const result = outcome.interaction;
      const { timers = [], ...more } = alsoSave(outcome);
      const change = { ...toChange(outcome, state), ...more };
      if (timers.length > 0) change.timers = [...(change.timers ?? []), ...timers];
      return { change, resource: { type: 'interaction', id: result.id }, result };
    },
    reload: (id) => (isReloadedUnscoped ? loadUnscoped : loadInteraction)(context, caller, id),
  });
}

export function toChange(outcome: Outcome, before: Interaction | null): OrgChange {
  const { interaction, events, grant, secrets } = outcome;
  const { id, threadId, closedAt, hasCallback } = interaction;
  const dueAt = nextDueTime(interaction);
  const isMoved = dueAt !== (before ? nextDueTime(before) : undefined);
  const isCalledBack = hasCallback && closedAt !== undefined && before?.closedAt === undefined;
  const timers: TimerChange[] = [
    ...(isMoved ? [{ kind: 'interaction' as const, id, dueAt: dueAt ?? null }] : []),
    ...(isCalledBack ? [{ kind: 'callback' as const, id, dueAt: Date.parse(closedAt) }] : []),
  ];
  return {
    interaction: { record: interaction, expectedVersion: before?.version ?? 0, ...unassigned(before, interaction) },
    ...(timers.length > 0 ? { timers } : {}),
    ...(grant ? { newGrant: grant } : {}),
    ...(secrets ? { newSecrets: { interactionId: id, values: secrets } } : {}),
    log: { threadId, events },
  };
}

/** Returns the assignees that a change removes, so that the question no longer is in their lists. */
function unassigned(before: Interaction | null, { responder: { assignees } }: Interaction) {
  const earlier = before?.responder.assignees;
  if (!earlier || !assignees || earlier === assignees) return {};
  const removed = earlier.filter((assignee) => !assignees.includes(assignee));
  return removed.length > 0 ? { unassigned: removed } : {};
}

export const digestOf = (asked: Interaction): string =>
  currentScheme.prefix + hash('sha256', currentScheme.textOf(asked), 'hex');

/** Earlier versions stored no digest. Such a record gets one with its answer. */
const withDigest = (interaction: Interaction): Interaction =>
  interaction.digest === undefined ? { ...interaction, digest: digestOf(interaction) } : interaction;

export const cancelInteraction: Operation<'cancelInteraction'> = (context, caller, input) =>
  changeInteraction(context, caller, {
    verb: 'cancelInteraction',
    input,
    command: ({ createdBy }) => {
      const by = actorOf(caller);
      if (isClient(caller) && !sameActor(createdBy, by))
        fail('forbidden', 'An MCP client cancels only questions that its person has asked.');
      return { type: 'cancel', by, ...defined({ reason: input.reason }) };
    },
  });

export const updateInteraction: Operation<'updateInteraction'> = (context, caller, input) => {
  const { interactionId: _id, expectedVersion: _version, ...asked } = input;
  return changeInteraction(context, caller, {
    verb: 'updateInteraction',
    input,
    command: async (state) => {
      const { escalations } = asked.escalations
        ? await withKnownAssignees(context, caller, { escalations: asked.escalations })
        : asked;
      const patch = { ...asked, ...defined({ escalations }) };
      checkJsonBounds({ trace: patch.trace, metadata: patch.metadata });
      checkJsonBounds({ original: patch.original }, limits.originalBytes);
      const patched = patchedQuestion(state, patch);
      // New fields can turn a choice into an approval, which needs the assurance of one.
      const minimum = patch.fields && isApproval(patched) ? await approvalMinimum(context, caller.orgId) : 'any';
      const question = { ...patched, ...storedAssurance(highest(state.assurance, minimum)) };
      return { type: 'update', by: actorOf(caller), isAdmin: isAdmin(caller), patch, question, digestOf };
    },
  });
};

/** Returns the question as it would be after the patch, checked like a new one. */
function patchedQuestion(state: Interaction, patch: UpdateInteraction): Question {
  const { kind, content, payloadSchema, arguments: proposed } = state;
  const patched = <Name extends 'body' | 'recommendations' | 'submitLabel'>(name: Name) =>
    patch[name] === null ? undefined : (patch[name] ?? state[name]);
  const checked = checkQuestion({
    kind,
    title: patch.title ?? state.title,
    fields: patch.fields ?? relabelled(state, patch.title),
    ...defined({
      body: patched('body'),
      recommendations: patched('recommendations'),
      content,
      payloadSchema,
      arguments: proposed,
      submitLabel: patched('submitLabel'),
    }),
  });
  if (!checked.ok) throw invalidInput(checked.problems);
  return checked.question;
}

/** A field that has the title as its label, such as the pick of a choice, follows a new title. */
function relabelled({ fields, title: old }: Interaction, title = old): Question['fields'] {
  return fields.map((field) => ('label' in field && field.label === old ? { ...field, label: title.trim() } : field));
}

/** Expires, reminds or escalates. A vote that comes in between delays nothing. */
export const expireInteraction: FireTimer<'newId'> = async ({ store, clock, newId }, { orgId, id }) => {
  await retryOnConflict(async () => {
    const state = (await store.getInteraction({ orgId, id })) ?? null;
    const now = clock.now();
    const named = state ? dueAssignees(state, now) : [];
    const deactivated = await deactivatedAmong({ store }, orgId, named);
    const expire = { type: 'expire', answerId: newId(), deactivated } as const;
    const decided = decide(state && withDigest(state), expire, now);
    return decided.ok ? store.commit({ orgId, ...toChange(decided.outcome, state) }) : undefined;
  });
};
