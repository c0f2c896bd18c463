/** Fields answered by picking from options. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

export const OptionSchema = Type.Object(
  {
    value: Type.String({ minLength: 1, maxLength: limits.labelLength }),
    label: Type.String({ minLength: 1, maxLength: limits.labelLength }),
    description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
    recommended: Type.Optional(Type.Boolean()),
    variant: Type.Optional(Type.Enum(['primary', 'secondary', 'danger'])),
    kind: Type.Optional(Type.Enum(['answer', 'allow_once', 'allow_always', 'reject_once', 'reject_always'])),
  },
  { additionalProperties: false },
);
export type Option = Static<typeof OptionSchema>;

const options = Type.Array(OptionSchema, { minItems: 1, maxItems: limits.optionsPerField });
const optionValue = Type.String({ maxLength: limits.labelLength });
const selectionCount = Type.Integer({ minimum: 0, maximum: limits.optionsPerField });
const display = Type.Optional(Type.Literal('buttons'));
const strict = { additionalProperties: false } as const;

export const SelectFieldSchema = Type.Object(
  { type: Type.Literal('select'), ...inputBase, options, default: Type.Optional(optionValue), display },
  strict,
);
export const RadioFieldSchema = Type.Object(
  { type: Type.Literal('radio'), ...inputBase, options, default: Type.Optional(optionValue) },
  strict,
);
export const MultiSelectFieldSchema = Type.Object(
  {
    type: Type.Literal('multi_select'),
    ...inputBase,
    options,
    default: Type.Optional(Type.Array(optionValue, { maxItems: limits.optionsPerField })),
    display,
    minSelections: Type.Optional(selectionCount),
    maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.optionsPerField })),
  },
  strict,
);

export type MultiSelectField = Static<typeof MultiSelectFieldSchema>;
export type ChoiceField = Static<typeof SelectFieldSchema | typeof RadioFieldSchema> | MultiSelectField;
