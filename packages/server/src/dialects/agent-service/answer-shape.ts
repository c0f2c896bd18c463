/** How the answer to a question is spelled there: an option's id, a payload, or both. */
import { type Interaction, isInputField, pickField } from '@holdpoint/protocol';

export type Question = Pick<Interaction, 'kind' | 'fields' | 'payloadSchema'>;

/**
 * What the payload is. `payload`: what the payloadSchema says. `value`: that of the only field. `values`: those of the fields by
 * name. `none`: there is nothing to say besides the option.
 */
export type PayloadShape = 'payload' | 'value' | 'values' | 'none';

export function payloadShape(question: Question): PayloadShape {
  if (question.payloadSchema) return 'payload';
  if (question.kind === 'input') return 'value';
  const pick = pickField(question);
  const isAlone = question.fields.filter(isInputField).length === 1;
  return pick && isAlone && pick.type !== 'multi_select' ? 'none' : 'values';
}

/** The field that an input asks for. */
export const onlyInput = ({ fields }: Question): string | undefined => fields.find(isInputField)?.name;
