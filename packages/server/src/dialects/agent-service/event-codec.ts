/** Our events as the three of the spec. Their data is the resource as it stands when it is told. */
import type { EventType, Interaction, LogEvent } from '@holdpoint/protocol';
import type { InteractionRequest } from './interaction-request.ts';
import { toResource } from './to-resource.ts';

export interface AgentServiceEvent {
  eventId: string;
  type: 'interaction.requested' | 'interaction.updated' | 'interaction.responded';
  timestamp: string;
  data: InteractionRequest;
}

/** All others have no counterpart there. */
const told: Partial<Record<EventType, AgentServiceEvent['type']>> = {
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

export const toldEventTypes = Object.keys(told) as readonly EventType[];

export function toEvent(event: LogEvent, interaction: Interaction, orgId: string): AgentServiceEvent | undefined {
  const type = told[event.type];
  return type && { eventId: event.cursor, type, timestamp: event.at, data: toResource(interaction, orgId) };
}
