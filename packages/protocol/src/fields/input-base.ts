/** What every field that takes input has in common. */
import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { VisibleIfSchema } from './visible-if.ts';

export const Meta = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free JSON, kept as sent.',
});

export const inputBase = {
  name: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: limits.labelLength })),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  required: Type.Optional(Type.Boolean()),
  secret: Type.Optional(Type.Boolean()),
  visibleIf: Type.Optional(VisibleIfSchema),
  meta: Type.Optional(Meta),
};
