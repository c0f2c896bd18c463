/** A grant: an allow_always or reject_always answer that also answers later questions if they are the same. */
import { type Static, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { FreeObjectSchema, TimestampSchema } from './free-json.ts';
import { GrantOfferSchema, OriginSchema } from './interaction.ts';
import { QuestionSchema } from './question.ts';

/** `arguments` holds the values that must be the same in a later question, including defaults of fields. */
const GrantCoverageSchema = Type.Object(
  {
    asker: ActorSchema,
    origin: OriginSchema,
    ...QuestionSchema.properties,
    arguments: FreeObjectSchema,
    variable: Type.Array(Type.String()),
  },
  {
    additionalProperties: false,
    description: 'The question that the grant answers, from the same asker. Grants without `covers` answer nothing.',
  },
);

export const GrantSchema = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    scope: GrantOfferSchema.properties.scope,
    decision: Type.Enum(['allow', 'reject']),
    covers: Type.Optional(GrantCoverageSchema),
    threadId: Type.String({ description: 'Where it was given; with scope thread, where it stands.' }),
    interactionId: Type.String({ description: 'The answer that gave it.' }),
    runId: Type.Optional(Type.String()),
    by: ActorSchema,
    voters: Type.Array(ActorSchema, {
      minItems: 1,
      description: 'All who said so; it stands only where as many of them as are needed could have answered.',
    }),
    createdAt: TimestampSchema,
    expiresAt: Type.Optional(TimestampSchema),
    revokedAt: Type.Optional(TimestampSchema),
    revokedBy: Type.Optional(ActorSchema),
  },
  { additionalProperties: false },
);

export type GrantCoverage = Static<typeof GrantCoverageSchema>;
export type Grant = Static<typeof GrantSchema>;
