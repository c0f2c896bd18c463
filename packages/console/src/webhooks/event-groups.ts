/** The events that a webhook can be for, in the groups that people look for them by. */
import type { EventType } from '@holdpoint/protocol';

/** By type, so that the compiler asks for those that come later. */
const groupOf: Record<EventType, string> = {
  'interaction.created': 'Questions',
  'interaction.updated': 'Questions',
  'interaction.voted': 'Questions',
  'interaction.reminded': 'Questions',
  'interaction.escalated': 'Questions',
  'interaction.answered': 'Questions',
  'interaction.declined': 'Questions',
  'interaction.cancelled': 'Questions',
  'interaction.expired': 'Questions',
  'interaction.secrets-taken': 'Questions',
  'thread.created': 'Threads',
  'thread.updated': 'Threads',
  'message.created': 'Threads',
  'message.completed': 'Threads',
  'message.cancelled': 'Threads',
  'file.attached': 'Threads',
  'run.started': 'Runs',
  'run.resumed': 'Runs',
  'run.waiting': 'Runs',
  'run.woken': 'Runs',
  'run.completed': 'Runs',
  'run.failed': 'Runs',
  'run.cancelled': 'Runs',
  'grant.created': 'Other',
  'grant.revoked': 'Other',
  'webhook.disabled': 'Other',
  'telemetry.recorded': 'Other',
};

export const eventGroups: readonly { title: string; types: readonly EventType[] }[] = [
  ...new Set(Object.values(groupOf)),
].map((title) => ({
  title,
  types: (Object.keys(groupOf) as EventType[]).filter((type) => groupOf[type] === title),
}));
