/** Selects the event types that a webhook receives. */
import type { EventType } from '@holdpoint/protocol';
import { Fault } from '../parts/dialog.tsx';
import { Tick } from '../parts/form.tsx';
import { eventTypes } from '../threads/describe-event.ts';

const groupOf = (type: EventType): string => {
  if (/^(thread|message|file)\./.test(type)) return 'Threads';
  return type.startsWith('interaction.') ? 'Requests' : type.startsWith('run.') ? 'Runs' : 'Other';
};

const eventGroups = ['Requests', 'Threads', 'Runs', 'Other'].map(
  (title) => [title, eventTypes.filter((type) => groupOf(type) === title)] as const,
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
          {eventGroups.map(([title, types]) => (
            <fieldset key={title}>
              <legend class="hint">{title}</legend>
              {types.map((type) => (
                <Tick key={type} class="mono" text={type} isOn={picked.includes(type)} onChange={() => toggle(type)} />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      <Fault text={fault} />
    </fieldset>
  );
}
