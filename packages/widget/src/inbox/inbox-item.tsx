/** One request of the inbox: a line that expands to the question. */
import type { Interaction } from '@holdpoint/protocol';
import { useMemo } from 'preact/hooks';
import { formatTime } from '../request/closed-state.tsx';
import { DraftedCard } from '../request/lazy-requests.tsx';
import type { AnsweringProps } from '../request/request-props.ts';
import { ItemTitle } from '../request/request-stack.tsx';

interface InboxItemProps extends AnsweringProps {
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

function Item({ interaction, place, isOpen, isBegun, isPicked, isVoted, onOpen, onPick, ...rest }: InboxItemProps) {
  const { id, title, kind, createdAt } = interaction;
  const { strings, locale, isGone } = rest;
  return (
    <li class="stack-item" aria-setsize={place?.count} aria-posinset={place && place.index + 1}>
      <div class="inbox-line">
        {onPick && (
          <label class="inbox-pick">
            <input type="checkbox" aria-label={strings.select(title)} checked={isPicked} onChange={() => onPick(id)} />
          </label>
        )}
        <ItemTitle
          {...{ interaction, strings, locale, isOpen, isGone }}
          partId={`i-${id}`}
          isButton={!isGone || isBegun}
          onToggle={() => onOpen(id)}
          look="inbox-title"
        >
          <span class="hint inbox-about">
            {isVoted && !isOpen ? (
              strings.voted
            ) : (
              <>
                {strings.kinds[kind]} · <time dateTime={createdAt}>{formatTime(createdAt, locale)}</time>
              </>
            )}
          </span>
        </ItemTitle>
      </div>
      <div id={`i-${id}`} hidden={!isOpen}>
        {(isOpen || isBegun) && (
          <DraftedCard {...{ interaction, ...rest }} onBegun={(hasInput) => rest.onBegun(id, hasInput)} />
        )}
      </div>
    </li>
  );
}
