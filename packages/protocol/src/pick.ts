/** What a choice or an approval is decided by: one field with options. */
import type { Field } from './fields/field.ts';
import type { FreeObject } from './free-json.ts';

/** The name under which the picked option of a choice or an approval is answered. */
export const pickName = { choice: 'choice', approval: 'decision' } as const;

/** A question, as far as it says what is picked. */
interface Picked {
  kind: string;
  fields: readonly Field[];
}

export type PickField = Extract<Field, { options: unknown }>;

export function pickField({ kind, fields }: Picked): PickField | undefined {
  const picks = fields.filter((field) => 'options' in field);
  if (kind === 'choice') return picks[0];
  return kind === 'approval' ? picks.find(({ name }) => name === pickName.approval) : undefined;
}

/** The options that these values pick: one at most, but of a multi_select. */
export function pickedOptions(question: Picked, values: Readonly<FreeObject>): PickField['options'] {
  const field = pickField(question);
  if (!field || !Object.hasOwn(values, field.name)) return [];
  const picked = [values[field.name]].flat();
  return field.options.filter(({ value }) => picked.includes(value));
}
