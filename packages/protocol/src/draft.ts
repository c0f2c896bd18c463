/** A draft: what a person has entered of an answer so far, on whatever device. */
import { type Static, Type } from 'typebox';
import { FreeObjectSchema, TimestampSchema } from './free-json.ts';

const strict = { additionalProperties: false };

export const SaveDraftSchema = Type.Object({ values: FreeObjectSchema }, strict);

export const DraftSchema = Type.Object(
  {
    values: Type.Optional(FreeObjectSchema),
    savedAt: Type.Optional(TimestampSchema),
  },
  { ...strict, description: 'Without values where there is none. What is secret is never in it.' },
);

export type SaveDraft = Static<typeof SaveDraftSchema>;
export type Draft = Static<typeof DraftSchema>;
