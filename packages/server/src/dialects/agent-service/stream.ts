/** Streams the three events of the spec. Their data is the resource at the time of the event. */
import { type EventType, Id, type Interaction, type LogEvent, strictObject } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { streamRoute } from '../../routes/dialect.ts';
import { toResource } from './request-codec.ts';

/** The other events have no counterpart. */
const counterparts: Partial<Record<EventType, `interaction.${'requested' | 'updated' | 'responded'}`>> = {
  'interaction.created': 'interaction.requested',
  'interaction.updated': 'interaction.updated',
  'interaction.voted': 'interaction.updated',
  'interaction.reminded': 'interaction.updated',
  'interaction.escalated': 'interaction.updated',
  'interaction.claimed': 'interaction.updated',
  'interaction.released': 'interaction.updated',
  'interaction.reassigned': 'interaction.updated',
  'interaction.answered': 'interaction.responded',
  'interaction.declined': 'interaction.responded',
  'interaction.cancelled': 'interaction.updated',
  'interaction.expired': 'interaction.updated',
};

export const sentEventTypes = Object.keys(counterparts) as readonly EventType[];

export function toEvent(event: LogEvent, interaction: Interaction, orgId: string) {
  const type = counterparts[event.type];
  return type && { eventId: event.cursor, type, timestamp: event.at, data: toResource(interaction, orgId) };
}

export const eventStream = streamRoute({
  path: '/spec/v1/events',
  query: strictObject({
    after: Type.Optional(Type.String({ maxLength: 64 })),
    threadId: Type.Optional(Id),
    interactionId: Type.Optional(Id),
  }),
  types: sentEventTypes,
  read: (query) => query,
  render: (event, interaction, orgId) => interaction && toEvent(event, interaction, orgId),
});
