/** Selects the event types that a webhook receives. */
import type { EventType } from '@holdpoint/protocol';

/** A record over all types, so that the compiler reports a new type that has no group. */
const groupOf: Record<EventType, string> = {
  'interaction.created': 'Requests',
  'interaction.updated': 'Requests',
  'interaction.voted': 'Requests',
  'interaction.reminded': 'Requests',
  'interaction.escalated': 'Requests',
  'interaction.answered': 'Requests',
  'interaction.declined': 'Requests',
  'interaction.cancelled': 'Requests',
  'interaction.expired': 'Requests',
  'interaction.secrets-taken': 'Requests',
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

const eventGroups: readonly { title: string; types: readonly EventType[] }[] = [...new Set(Object.values(groupOf))].map(
  (title) => ({
    title,
    types: (Object.keys(groupOf) as EventType[]).filter((type) => groupOf[type] === title),
  }),
);

interface EventPickerProps {
  /** Undefined: all events. */
  picked: readonly EventType[] | undefined;
  onChange(picked: readonly EventType[] | undefined): void;
  fault: string | undefined;
}

const usual: readonly EventType[] = ['interaction.created', 'interaction.answered'];

export function EventPicker({ picked, onChange, fault }: EventPickerProps) {
  const toggle = (type: EventType) =>
    onChange(picked?.includes(type) ? picked.filter((each) => each !== type) : [...(picked ?? []), type]);
  return (
    <fieldset class="choices">
      <legend class="legend">Events</legend>
      <label class="choice">
        <input type="radio" name="which" checked={picked === undefined} onChange={() => onChange(undefined)} />
        <span>All events, including those of later versions</span>
      </label>
      <label class="choice">
        <input type="radio" name="which" checked={picked !== undefined} onChange={() => onChange(usual)} />
        <span>Selected events</span>
      </label>
      {picked && (
        <div class="event-groups">
          {eventGroups.map(({ title, types }) => (
            <fieldset key={title}>
              <legend class="hint">{title}</legend>
              {types.map((type) => (
                <label key={type} class="tick mono">
                  <input type="checkbox" checked={picked.includes(type)} onChange={() => toggle(type)} />
                  {type}
                </label>
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
