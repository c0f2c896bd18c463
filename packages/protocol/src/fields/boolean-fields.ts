/** Fields answered with true or false: a box to tick, and a question of two buttons. */
import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

const buttonLabel = Type.String({ minLength: 1, maxLength: limits.labelLength });

export const CheckboxFieldSchema = Type.Object(
  { type: Type.Literal('checkbox'), ...inputBase, default: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export const ConfirmFieldSchema = Type.Object(
  {
    type: Type.Literal('confirm'),
    ...inputBase,
    default: Type.Optional(Type.Boolean()),
    confirmLabel: Type.Optional(buttonLabel),
    denyLabel: Type.Optional(buttonLabel),
  },
  { additionalProperties: false },
);
