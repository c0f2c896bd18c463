/** Translates a resolution payload into the values of an answer, and back. */
import {
  type Answer,
  checkShape,
  defined,
  type FreeObject,
  type Interaction,
  pickField,
  pickName,
  type Question,
  type SubmitAnswer,
} from '@holdpoint/protocol';
import type { Static } from 'typebox';
import { refuse, refuseProblems } from '../pointers.ts';
import { notUnique } from './fault-codec.ts';
import { requestType, textField } from './question-codec.ts';
import { payloadSchemas } from './schemas.ts';

type Payload = Static<typeof payloadSchemas.choice> & Static<typeof payloadSchemas.text_input>;

/** The type of the request decides how its payload is read. */
export function toAnswer(question: Question, sent: FreeObject): Pick<SubmitAnswer, 'values' | 'payload'> {
  const type = requestType(question);
  refuseProblems(checkShape(payloadSchemas[type], sent));
  const { selectedOptionIds, text, values = {}, payload } = sent as unknown as Payload;
  const carried = defined({ payload });
  if (type === 'choice') return { values: { ...values, ...picked(question, selectedOptionIds) }, ...carried };
  if (type === 'text_input') return { values: { [textField(question.fields)?.name ?? 'text']: text.trim() } };
  return { values, ...carried };
}

/** Rejects a duplicate option with the message of Opengram, also if only one may be picked. */
export function refuseTwice({ selectedOptionIds: ids }: FreeObject): void {
  if (Array.isArray(ids) && new Set(ids).size < ids.length) refuse('/selectedOptionIds', 'unique', notUnique);
}

/** A select takes one option. More are passed on for the domain to reject. */
function picked(question: Question, ids: string[]): FreeObject {
  const pick = pickField(question);
  if (!pick || ids.length === 0) return {};
  return { [pick.name]: pick.type === 'multi_select' || ids.length > 1 ? ids : ids[0] };
}

export function toResolution(
  question: Pick<Interaction, 'kind' | 'fields'>,
  { values, payload }: Pick<Answer, 'values' | 'payload'>,
): FreeObject {
  switch (requestType(question)) {
    case 'choice': {
      const id = values[pickField(question)?.name ?? pickName.approval];
      const selectedOptionIds = Array.isArray(id) ? id : id === undefined ? [] : [id];
      // Includes the arguments, which the responder may have edited.
      return defined({ selectedOptionIds, values: question.kind === 'approval' ? values : undefined, payload });
    }
    case 'text_input':
      return { text: values[textField(question.fields)?.name ?? ''] ?? '' };
    case 'form':
      return defined({ values, payload });
  }
}
