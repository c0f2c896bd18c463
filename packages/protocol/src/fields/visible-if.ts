/** When a field is shown: every rule of `all_of` must hold for the values given so far. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';

const VisibleIfRuleSchema = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: limits.nameLength }),
    op: Type.Enum(['equals', 'not_equals', 'in', 'not_in', 'empty', 'not_empty']),
    value: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
export type VisibleIfRule = Static<typeof VisibleIfRuleSchema>;

export const VisibleIfSchema = Type.Object(
  { all_of: Type.Array(VisibleIfRuleSchema, { minItems: 1, maxItems: limits.visibleIfRules }) },
  { additionalProperties: false },
);
export type VisibleIf = Static<typeof VisibleIfSchema>;
