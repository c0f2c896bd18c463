/** A field of a type that is somebody else's: shown as a line of text, answered with one value of any plain type. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

const Scalar = Type.Union([Type.String({ maxLength: limits.textLength }), Type.Number(), Type.Boolean()]);

export const CustomFieldSchema = Type.Object(
  {
    type: Type.Literal('custom'),
    customType: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'What it is called where it comes from.' }),
    ),
    ...inputBase,
    placeholder: Type.Optional(Type.String({ maxLength: limits.labelLength })),
    default: Type.Optional(Scalar),
  },
  { additionalProperties: false },
);
export type CustomField = Static<typeof CustomFieldSchema>;
