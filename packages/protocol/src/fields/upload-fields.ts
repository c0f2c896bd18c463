/** Fields answered with uploaded files, a drawn signature among them. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

const uploadProperties = {
  ...inputBase,
  accept: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.nameLength }), { maxItems: limits.acceptEntries }),
  ),
  maxSizeMb: Type.Optional(Type.Number({ minimum: 1, maximum: limits.fileSizeMb })),
  multiple: Type.Optional(Type.Boolean()),
  retention: Type.Optional(Type.Enum(['persistent', 'transient'])),
};
const canvasLength = Type.Integer({ minimum: 1, maximum: limits.canvasPixels });
const strict = { additionalProperties: false } as const;

export const FileUploadFieldSchema = Type.Object({ type: Type.Literal('file_upload'), ...uploadProperties }, strict);
export const ImageUploadFieldSchema = Type.Object({ type: Type.Literal('image_upload'), ...uploadProperties }, strict);
export const SignatureFieldSchema = Type.Object(
  {
    type: Type.Literal('signature'),
    ...inputBase,
    canvasWidth: Type.Optional(canvasLength),
    canvasHeight: Type.Optional(canvasLength),
  },
  strict,
);

export type UploadField = Static<
  typeof FileUploadFieldSchema | typeof ImageUploadFieldSchema | typeof SignatureFieldSchema
>;
