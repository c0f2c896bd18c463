/** A draft: what a person has entered of an answer so far, on whatever device. */
import { type Static, Type } from 'typebox';
import { FreeObjectSchema, TimestampSchema } from './free-json.ts';

const strict = { additionalProperties: false };

const Payload = Type.Unknown({ description: 'For a question asked by payloadSchema.' });

export const SaveDraftSchema = Type.Object(
  { values: Type.Optional(FreeObjectSchema), payload: Type.Optional(Payload) },
  strict,
);

export const DraftSchema = Type.Object(
  {
    values: Type.Optional(FreeObjectSchema),
    payload: Type.Optional(Payload),
    savedAt: Type.Optional(TimestampSchema),
  },
  { ...strict, description: 'Without values where there is none. What is secret is never in it.' },
);

export type SaveDraft = Static<typeof SaveDraftSchema>;
export type Draft = Static<typeof DraftSchema>;
