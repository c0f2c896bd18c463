/** An event: a committed fact with its place in its thread's log. The log is append-only and has no gaps. */
import { type Static, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { FreeObjectSchema, TimestampSchema } from './free-json.ts';

export const eventTypes = [
  'thread.created',
  'thread.updated',
  'message.created',
  'message.completed',
  'message.cancelled',
  'file.attached',
  'interaction.created',
  'interaction.updated',
  'interaction.voted',
  'interaction.reminded',
  'interaction.escalated',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
  'interaction.secrets-taken',
  'run.started',
  'run.resumed',
  'run.waiting',
  'run.woken',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'grant.created',
  'grant.revoked',
  'webhook.disabled',
  'telemetry.recorded',
] as const;

export const EventTypeSchema = Type.Enum([...eventTypes]);

export const EventSchema = Type.Object(
  {
    cursor: Type.String({
      description: "Place in the org's log; cursors sort as text. Resume from it by Last-Event-ID.",
    }),
    threadId: Type.String(),
    seq: Type.Integer({ minimum: 1, description: "Place in the thread's log: 1, 2, 3, … without a gap." }),
    type: EventTypeSchema,
    at: TimestampSchema,
    actor: ActorSchema,
    interactionId: Type.Optional(Type.String()),
    data: FreeObjectSchema,
  },
  { additionalProperties: false },
);

export const ephemeralTypes = ['message.delta', 'thread.typing'] as const;

export const EphemeralEventSchema = Type.Object(
  {
    threadId: Type.String(),
    type: Type.Enum([...ephemeralTypes]),
    at: TimestampSchema,
    actor: ActorSchema,
    data: FreeObjectSchema,
  },
  {
    additionalProperties: false,
    description:
      'Told to whoever follows at that moment, and kept nowhere: message.delta {messageId, text, offset}, thread.typing {}.',
  },
);

export type EventType = Static<typeof EventTypeSchema>;
