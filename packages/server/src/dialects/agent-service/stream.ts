/** Streams the three events of the spec. Their data is the resource at the time of the event. */
import { type EventType, type Interaction, type LogEvent, limits } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { streamRoute } from '../../routes/dialect.ts';
import { toResource } from './request-codec.ts';
import type { InteractionRequest } from './schemas.ts';

interface AgentServiceEvent {
  eventId: string;
  type: 'interaction.requested' | 'interaction.updated' | 'interaction.responded';
  timestamp: string;
  data: InteractionRequest;
}

/** The other events have no counterpart. */
const counterparts: Partial<Record<EventType, AgentServiceEvent['type']>> = {
  'interaction.created': 'interaction.requested',
  'interaction.updated': 'interaction.updated',
  'interaction.voted': 'interaction.updated',
  'interaction.reminded': 'interaction.updated',
  'interaction.escalated': 'interaction.updated',
  'interaction.answered': 'interaction.responded',
  'interaction.declined': 'interaction.responded',
  'interaction.cancelled': 'interaction.updated',
  'interaction.expired': 'interaction.updated',
};

export const sentEventTypes = Object.keys(counterparts) as readonly EventType[];

export function toEvent(event: LogEvent, interaction: Interaction, orgId: string): AgentServiceEvent | undefined {
  const type = counterparts[event.type];
  return type && { eventId: event.cursor, type, timestamp: event.at, data: toResource(interaction, orgId) };
}

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
  types: sentEventTypes,
  read: (query) => query,
  render: (event, interaction, orgId) => interaction && toEvent(event, interaction, orgId),
});
