import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { inputBase } from './input-base.ts';

export const RatingFieldSchema = Type.Object(
  {
    type: Type.Literal('rating'),
    ...inputBase,
    default: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.maxStars })),
    maxStars: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.maxStars })),
    ratingIcon: Type.Optional(Type.Enum(['star', 'heart', 'thumb'])),
  },
  { additionalProperties: false },
);
export type RatingField = Static<typeof RatingFieldSchema>;
