/** How the answer to a question is spelled there: an option's id, a payload, or both. */
import { type Field, type Interaction, isInputField, type Option, pickName, type Values } from '@holdpoint/protocol';

export type Question = Pick<Interaction, 'kind' | 'fields' | 'payloadSchema'>;
type PickField = Extract<Field, { options: Option[] }>;

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

/** The field whose options are those of the resource. */
export function pickField({ kind, fields }: Question): PickField | undefined {
  const picks = fields.filter((field) => 'options' in field);
  if (kind === 'choice') return picks[0];
  return kind === 'approval' ? picks.find(({ name }) => name === pickName.approval) : undefined;
}

export function pickedOptions({ name, options }: PickField, values: Readonly<Partial<Values>>): Option[] {
  const picked = Object.hasOwn(values, name) ? [values[name]].flat() : [];
  return options.filter(({ value }) => picked.includes(value));
}

/** The field that an input asks for. */
export const onlyInput = ({ fields }: Question): string | undefined => fields.find(isInputField)?.name;
