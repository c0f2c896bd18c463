/** One event of a log: who did what, and when. It opens to its JSON. */
import type { Actor } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Code } from './code.tsx';
import { Time, VisibleText } from './inline.tsx';
import { ActorName } from './who.tsx';

interface EventRowProps {
  event: { type: string; at: string; actor: Actor };
  /** The action of the actor. */
  words: string;
  /** Stands before the name of the actor. */
  before?: string;
  /** The name of the event, such as "event 12". */
  what: string;
  /** Opened and scrolled into view. */
  isWanted?: boolean;
  /** The line above the JSON. */
  children: ComponentChildren;
}

/** Renders the JSON only while the event is open, because a log has hundreds of events. */
export function EventRow({ event, words, before, what, isWanted = false, children }: EventRowProps) {
  const [isOpen, open] = useState(isWanted);
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    open(true);
    line.current?.scrollIntoView({ block: 'center' });
  }, [isWanted]);
  const { type, at, actor } = event;
  const [about = ''] = type.split('.');
  return (
    <li class={`event about-${about} ${type.replace('.', '-')}`} aria-current={isWanted ? 'true' : undefined}>
      <details open={isOpen} onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary ref={line}>
          <span class="event-text">
            {before}
            <b>
              <ActorName actor={actor} />
            </b>{' '}
            <VisibleText text={words} />
          </span>
          <span class="event-about">
            <span class="event-type">{type}</span>
            <Time at={at} />
          </span>
        </summary>
        {isOpen && (
          <div class="event-more">
            <p class="hint">{children}</p>
            <Code text={JSON.stringify(event, null, 2)} what={what} />
          </div>
        )}
      </details>
    </li>
  );
}
