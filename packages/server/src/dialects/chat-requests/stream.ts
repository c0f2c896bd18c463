/** Streams the events of the chats in the envelope of Opengram. */
import { defined } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { envelopeEventTypes, toEnvelope, toEphemeralEnvelope } from '../../delivery/webhooks/opengram-envelope.ts';
import { streamRoute } from '../../routes/dialect.ts';

export const eventStream = streamRoute({
  path: '/api/v1/events/stream',
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ maxLength: 64 })),
      ephemeral: Type.Optional(Type.Enum(['true', 'false'], { default: 'true' })),
      // Accepted and ignored.
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      token: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  types: envelopeEventTypes,
  read: ({ cursor, ephemeral }) => ({
    ephemeral: ephemeral !== 'false',
    ...defined({ after: cursor }),
  }),
  render: toEnvelope,
  renderEphemeral: toEphemeralEnvelope,
  takesTokenInQuery: true,
});
