import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

export const NumberFieldSchema = Type.Object(
  {
    type: Type.Literal('number'),
    ...inputBase,
    placeholder: Type.Optional(Type.String({ maxLength: limits.labelLength })),
    default: Type.Optional(Type.Number()),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    integer: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type NumberField = Static<typeof NumberFieldSchema>;
