/** Fields answered with a string the person types. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

const textProperties = {
  ...inputBase,
  placeholder: Type.Optional(Type.String({ maxLength: limits.labelLength })),
  default: Type.Optional(Type.String({ maxLength: limits.textLength })),
  pattern: Type.Optional(Type.String({ maxLength: limits.patternLength })),
  minLength: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.textLength })),
  maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.textLength })),
};
const strict = { additionalProperties: false } as const;

export const TextFieldSchema = Type.Object({ type: Type.Literal('text'), ...textProperties }, strict);
export const EmailFieldSchema = Type.Object({ type: Type.Literal('email'), ...textProperties }, strict);
export const TelFieldSchema = Type.Object({ type: Type.Literal('tel'), ...textProperties }, strict);
export const UrlFieldSchema = Type.Object({ type: Type.Literal('url'), ...textProperties }, strict);
export const PasswordFieldSchema = Type.Object({ type: Type.Literal('password'), ...textProperties }, strict);
export const TextareaFieldSchema = Type.Object(
  {
    type: Type.Literal('textarea'),
    ...textProperties,
    rows: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.textareaRows })),
  },
  strict,
);

export type TextLikeField = Static<
  | typeof TextFieldSchema
  | typeof EmailFieldSchema
  | typeof TelFieldSchema
  | typeof UrlFieldSchema
  | typeof PasswordFieldSchema
  | typeof TextareaFieldSchema
>;
