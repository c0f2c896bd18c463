/** All events, or some of them. */
import type { EventType } from '@holdpoint/protocol';
import { eventGroups } from './event-groups.ts';

interface EventPickerProps {
  /** Nothing: all. */
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
        <span>All, also those that come with later versions</span>
      </label>
      <label class="choice">
        <input type="radio" name="which" checked={picked !== undefined} onChange={() => onChange(usual)} />
        <span>Only some</span>
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
