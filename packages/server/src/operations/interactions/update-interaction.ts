import { checkQuestion, type Interaction, limits, type Question, type UpdateInteraction } from '@holdpoint/protocol';
import { actorOf, type Caller, isAdmin } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { checkJsonBounds, invalidInput } from '../invalid-input.ts';
import { changeInteraction, digestOf } from './change-interaction.ts';

export function updateInteraction(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & UpdateInteraction,
): Promise<Interaction> {
  const { interactionId: _id, expectedVersion: _version, ...patch } = input;
  return changeInteraction(context, caller, {
    verb: 'updateInteraction',
    input,
    command: (state) => {
      checkJsonBounds({ trace: patch.trace, metadata: patch.metadata });
      checkJsonBounds({ original: patch.original }, limits.originalBytes);
      const question = patchedQuestion(state, patch);
      return { type: 'update', by: actorOf(caller), isAdmin: isAdmin(caller), patch, question, digestOf };
    },
  });
}

/** The question as it would read after the patch, checked as if it were asked anew. */
function patchedQuestion(state: Interaction, patch: UpdateInteraction): Question {
  const body = patch.body === null ? undefined : (patch.body ?? state.body);
  const recommendations = patch.recommendations === null ? undefined : (patch.recommendations ?? state.recommendations);
  const submitLabel = patch.submitLabel === null ? undefined : (patch.submitLabel ?? state.submitLabel);
  const checked = checkQuestion({
    kind: state.kind,
    title: patch.title ?? state.title,
    fields: patch.fields ?? relabelled(state, patch.title),
    ...(body === undefined ? {} : { body }),
    ...(recommendations === undefined ? {} : { recommendations }),
    ...(state.content ? { content: state.content } : {}),
    ...(state.payloadSchema ? { payloadSchema: state.payloadSchema } : {}),
    ...(state.arguments ? { arguments: state.arguments } : {}),
    ...(submitLabel === undefined ? {} : { submitLabel }),
  });
  if (!checked.ok) throw invalidInput(checked.problems);
  return checked.question;
}

/** A field that was given the title for its label, as the pick of a choice is, follows a new title. */
function relabelled({ fields, title: old }: Interaction, title = old): Question['fields'] {
  return fields.map((field) => ('label' in field && field.label === old ? { ...field, label: title.trim() } : field));
}
