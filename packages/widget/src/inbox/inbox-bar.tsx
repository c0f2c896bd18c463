/** What narrows the inbox down. */
import type { Strings } from '../strings/strings.ts';

interface InboxBarProps {
  filter: { text: string; kind: string };
  setFilter(filter: { text: string; kind: string }): void;
  isOnline: boolean;
  strings: Strings;
}

export const InboxBar = ({ filter, setFilter, isOnline, strings }: InboxBarProps) => (
  <div class="inbox-bar">
    <input
      class="control"
      type="search"
      aria-label={strings.filterRequests}
      placeholder={strings.filterRequests}
      value={filter.text}
      onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
    />
    <select
      class="control"
      aria-label={strings.kind}
      value={filter.kind}
      onChange={(event) => setFilter({ ...filter, kind: event.currentTarget.value })}
    >
      <option value="">{strings.allKinds}</option>
      {(['approval', 'choice', 'form', 'input'] as const).map((one) => (
        <option key={one} value={one}>
          {strings.kinds[one]}
        </option>
      ))}
    </select>
    {!isOnline && <span class="hint">{strings.reconnecting}</span>}
  </div>
);
