/** The field with options that decides a choice or an approval. */
import type { FreeObject } from './base-schemas.ts';
import type { Field } from './fields/field.ts';

/** The name of the field that decides a choice or an approval. */
export const pickName = { choice: 'choice', approval: 'decision' } as const;

/** The options of an approval that names none. */
export const allowOrDeny = [
  { value: 'allow', label: 'Allow', kind: 'allow_once', variant: 'primary' },
  { value: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' },
] as const;

/** The parts of a question that name the field that decides. */
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

/** Reports whether an option allows something. */
export const allows = ({ kind }: { kind?: string }): boolean => kind?.startsWith('allow') ?? false;

/** Reports whether a question asks to allow something. A choice with such an option is an approval too. */
export const isApproval = (asked: Picked): boolean => pickField(asked)?.options.some(allows) ?? false;

/** The options that these values pick: at most one, except in a multi_select. */
export function pickedOptions(question: Picked, values: Readonly<FreeObject>): PickField['options'] {
  const field = pickField(question);
  if (!field || !Object.hasOwn(values, field.name)) return [];
  const picked = [values[field.name]].flat();
  return field.options.filter(({ value }) => picked.includes(value));
}
