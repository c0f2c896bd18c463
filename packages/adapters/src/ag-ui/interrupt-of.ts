/** Our question as an interrupt of AG-UI, and what a person said to it there as an answer. */
import type { Interrupt, ResumeEntry } from '@ag-ui/core';
import {
  defined,
  type FreeObject,
  fieldsToJsonSchema,
  type Interaction,
  isObject,
  pickField,
  type SubmitAnswer,
} from '@holdpoint/protocol';
import { shownOf } from '../shared/shown.ts';

/** `toolCallIds`: of the calls that the messages of the run know of. */
export function interruptOf(interaction: Interaction, toolCallIds: ReadonlySet<string> = new Set()): Interrupt {
  const { id, kind, title, body, fields, payloadSchema, deadline, run } = interaction;
  const toolCallId = run?.toolCallId;
  const isOfCall = toolCallId !== undefined && toolCallIds.has(toolCallId);
  return {
    id,
    reason: isOfCall ? 'tool_call' : kind === 'approval' ? 'confirmation' : 'input_required',
    message: body === undefined ? title : `${title}\n\n${body}`,
    ...defined({ toolCallId: isOfCall ? toolCallId : undefined }),
    responseSchema: (payloadSchema ?? fieldsToJsonSchema(fields)) as Record<string, unknown>,
    ...defined({ expiresAt: deadline?.at }),
    metadata: { holdpoint: shownOf(interaction) },
  };
}

/** Values by the names of the fields; of an approval also true, false, and `{ approved, editedArgs }`. */
export function answerOf(interaction: Interaction, { payload }: Pick<ResumeEntry, 'payload'>): SubmitAnswer {
  const { kind, fields, payloadSchema } = interaction;
  if (payloadSchema && fields.length === 0) return { payload };
  const verdict = kind === 'approval' ? verdictOf(interaction, payload) : undefined;
  return { values: verdict ?? (isObject(payload) ? payload : {}) };
}

function verdictOf(interaction: Interaction, payload: unknown): FreeObject | undefined {
  const { approved, editedArgs } = isObject(payload) ? payload : { approved: payload, editedArgs: undefined };
  if (typeof approved !== 'boolean') return undefined;
  const pick = pickField(interaction);
  const option = pick?.options.find(({ kind }) => kind === (approved ? 'allow_once' : 'reject_once'));
  return { ...(isObject(editedArgs) ? editedArgs : {}), ...(pick && option ? { [pick.name]: option.value } : {}) };
}
