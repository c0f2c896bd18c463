/** One line of the inbox: what is asked, by whom, where, since when and until when. */
import { Time } from '../parts/time.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { Due } from './due.tsx';
import { kindWords } from './filters.tsx';
import type { Names } from './names.ts';
import type { WaitingItem } from './waiting-item.ts';

interface WaitingRowProps {
  item: WaitingItem;
  names: Names;
  href: string;
  isOpen: boolean;
  isPicked: boolean;
  /** Absent where it cannot be approved together with others. */
  onPick: ((isRange: boolean) => void) | undefined;
}

export function WaitingRow({ item: { interaction }, names, href, isOpen, isPicked, onPick }: WaitingRowProps) {
  const { id, title, kind, threadId, createdAt, deadline, votes, resolution } = interaction;
  return (
    <div class={`inbox-row${isOpen ? ' is-open' : ''}${isPicked ? ' is-picked' : ''}`} data-id={id}>
      {onPick ? (
        <label class="inbox-pick">
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            checked={isPicked}
            onClick={(event) => onPick(event.shiftKey)}
          />
        </label>
      ) : (
        <span class="inbox-pick" />
      )}
      <a class="inbox-link" href={href} aria-current={isOpen ? 'true' : undefined}>
        <span class="inbox-title">
          <VisibleText text={title} />
        </span>
        <span class="inbox-about">
          <span class={`kind kind-${kind}`}>{kindWords[kind]}</span>
          <span class="inbox-where">
            <VisibleText text={names.agentOf(interaction)} /> in <VisibleText text={names.titleOf(threadId)} />
          </span>
          {resolution.mode !== 'first' && (
            <span class="inbox-votes">
              {votes.length} of {resolution.count} votes
            </span>
          )}
        </span>
        <span class="inbox-times">
          <Time at={createdAt} />
          {deadline && <Due at={deadline.at} />}
        </span>
      </a>
    </div>
  );
}
