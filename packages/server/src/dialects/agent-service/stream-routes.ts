/** The three events of the spec, as they happen. */
import { limits } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { streamRoute } from '../../routes/dialect.ts';
import { toEvent, toldEventTypes } from './event-codec.ts';

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const eventStream = streamRoute({
  path: '/spec/v1/events',
  query: Type.Object(
    {
      after: Type.Optional(Type.String({ maxLength: 64 })),
      threadId: Type.Optional(Id),
      interactionId: Type.Optional(Id),
    },
    { additionalProperties: false },
  ),
  types: toldEventTypes,
  read: (query) => query,
  tell: (event, interaction, orgId) => interaction && toEvent(event, interaction, orgId),
});
