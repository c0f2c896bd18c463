/** A block: one piece of a message. Types this version does not know are kept as sent and skipped by what renders. */
import { type Static, Type } from 'typebox';
import { FreeObjectSchema } from './free-json.ts';
import { limits } from './limits.ts';

export const BlockSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: limits.idLength })),
    type: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'message, form, choice, link, image, card, or a type of your own.',
    }),
    payload: FreeObjectSchema,
    meta: Type.Optional(FreeObjectSchema),
  },
  { additionalProperties: false },
);

export type Block = Static<typeof BlockSchema>;
