/** One request of the inbox: a line that expands to the question. */
import type { Interaction } from '@holdpoint/protocol';
import { useMemo } from 'preact/hooks';
import type { Drafts } from '../connection/drafts.ts';
import { momentOf } from '../request/closed-state.tsx';
import { DraftedCard } from '../request/lazy-requests.tsx';
import { TimeLeft } from '../request/prompt.tsx';
import type { RequestActions } from '../request/request-card.tsx';
import { StackName } from '../request/request-stack.tsx';
import type { Strings } from '../strings/strings.ts';

export interface InboxItemProps {
  interaction: Interaction;
  /** Its position for screen readers, if not all lines are rendered. */
  place: { index: number; count: number } | undefined;
  isOpen: boolean;
  /** No longer pending. It stays as long as the person is in the list. */
  isGone: boolean;
  /** The person began to answer: what they entered is kept while the line is closed. */
  isBegun: boolean;
  isStill: boolean;
  isPicked: boolean;
  /** The person has answered, and others are still asked. */
  isVoted: boolean;
  onOpen(id: string): void;
  onBegun(id: string, isBegun: boolean): void;
  /** Absent if it cannot be approved together with others. */
  onPick: ((id: string) => void) | undefined;
  actions: RequestActions;
  drafts: Drafts;
  strings: Strings;
  locale: string;
}

/** Rendered again only after a change of this line: an inbox may have a thousand. */
export function InboxItem(props: InboxItemProps) {
  const { interaction, place, isOpen, isGone, isBegun, isStill, isPicked, isVoted, onPick, strings, locale } = props;
  const { index, count } = place ?? {};
  return useMemo(
    () => <Item {...props} />,
    [interaction, index, count, isOpen, isGone, isBegun, isStill, isPicked, isVoted, onPick, strings, locale],
  );
}

function Item({
  interaction,
  place,
  isOpen,
  isBegun,
  isPicked,
  isVoted,
  onOpen,
  onPick,
  onBegun,
  ...rest
}: InboxItemProps) {
  const { id, title, kind, deadline, createdAt } = interaction;
  const { strings, locale, isGone } = rest;
  return (
    <li class="stack-item" aria-setsize={place?.count} aria-posinset={place && place.index + 1}>
      <div class="inbox-line">
        {onPick && (
          <label class="inbox-pick">
            <input type="checkbox" aria-label={strings.select(title)} checked={isPicked} onChange={() => onPick(id)} />
          </label>
        )}
        {isGone && !isBegun ? (
          <p class="stack-title closed inbox-title">
            <span class="stack-name">
              <StackName {...{ title, strings }} isGone />
            </span>
          </p>
        ) : (
          <button
            type="button"
            class="stack-title inbox-title"
            aria-expanded={isOpen}
            aria-controls={`i-${id}`}
            onClick={() => onOpen(id)}
          >
            <span class="stack-name">
              <StackName {...{ title, strings }} isGone={isGone} />
              <span class="hint inbox-about">
                {isVoted && !isOpen ? (
                  strings.voted
                ) : (
                  <>
                    {strings.kinds[kind]} · <time dateTime={createdAt}>{momentOf(createdAt, locale)}</time>
                  </>
                )}
              </span>
            </span>
            {!isOpen && deadline && <TimeLeft until={deadline.at} {...{ strings, locale }} />}
          </button>
        )}
      </div>
      <div id={`i-${id}`} hidden={!isOpen}>
        {(isOpen || isBegun) && (
          <DraftedCard {...{ interaction, ...rest }} onBegun={(isBegun) => onBegun(id, isBegun)} />
        )}
      </div>
    </li>
  );
}
