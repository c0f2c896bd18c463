/** A grant: an allow_always or reject_always answer that stands for later interactions with the same key. */
import { type Static, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { TimestampSchema } from './free-json.ts';
import { GrantOfferSchema } from './interaction.ts';

export const GrantSchema = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    scope: GrantOfferSchema.properties.scope,
    decision: Type.Enum(['allow', 'reject']),
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

export type Grant = Static<typeof GrantSchema>;
