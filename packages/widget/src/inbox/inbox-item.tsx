/** One request of the inbox: a line that opens into the whole question. */
import type { Interaction } from '@holdpoint/protocol';
import type { Drafts } from '../connection/drafts.ts';
import { DraftedCard } from '../request/drafted-card.tsx';
import type { RequestActions } from '../request/request-card.tsx';
import { TimeLeft } from '../request/time-left.tsx';
import type { Strings } from '../strings/strings.ts';

export interface InboxItemProps {
  interaction: Interaction;
  isOpen: boolean;
  isPicked: boolean;
  onOpen(): void;
  /** Absent where it cannot be decided together with others. */
  onPick: (() => void) | undefined;
  actions: RequestActions;
  drafts: Drafts;
  strings: Strings;
  locale: string;
}

export function InboxItem({ interaction, isOpen, isPicked, onOpen, onPick, ...rest }: InboxItemProps) {
  const { id, version, title, kind, deadline, createdAt } = interaction;
  const { strings, locale } = rest;
  const asked = new Date(createdAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li class="stack-item">
      <div class="inbox-line">
        {onPick && (
          <label class="inbox-pick">
            <input type="checkbox" aria-label={strings.select(title)} checked={isPicked} onChange={onPick} />
          </label>
        )}
        <button
          type="button"
          class="stack-title inbox-title"
          aria-expanded={isOpen}
          aria-controls={`i-${id}`}
          onClick={onOpen}
        >
          <span class="stack-name">
            {title}
            <span class="hint inbox-about">
              {strings.kinds[kind]} · <time dateTime={createdAt}>{asked}</time>
            </span>
          </span>
          {deadline && <TimeLeft until={deadline.at} {...{ strings, locale }} />}
        </button>
      </div>
      <div id={`i-${id}`} hidden={!isOpen}>
        {isOpen && <DraftedCard key={version} interaction={interaction} {...rest} />}
      </div>
    </li>
  );
}
