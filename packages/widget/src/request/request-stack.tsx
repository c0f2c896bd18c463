/** Everything that waits, one above the other; each can be folded away, which answers nothing. */
import type { Interaction } from '@holdpoint/protocol';
import { useRef, useState } from 'preact/hooks';
import type { Drafts } from '../connection/drafts.ts';
import type { Strings } from '../strings/strings.ts';
import { DraftedCard } from './drafted-card.tsx';
import type { RequestActions } from './request-card.tsx';
import { TimeLeft } from './time-left.tsx';

export interface RequestStackProps {
  pending: readonly Interaction[];
  actions: RequestActions;
  drafts: Drafts;
  /** Said to those who do not see it: what came and what went. */
  news: string;
  isOnline: boolean;
  strings: Strings;
  locale: string;
}

export function RequestStack({ pending, actions, drafts, news, isOnline, strings, locale }: RequestStackProps) {
  const [isOpen, open] = useState(true);
  /** As the person has folded or unfolded them. */
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  /** What was open stays so when others come and go: somebody may be writing in it. */
  const wereOpen = useRef(new Set<string>()).current;
  return (
    <>
      {/* There before it says something, or nobody would hear it. */}
      <p class="visually-hidden" role="status">
        {news}
      </p>
      <section class="stack" aria-label={strings.pendingRequests(pending.length)} hidden={pending.length === 0}>
        {pending.length > 0 && (
          <button type="button" class="stack-head" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            <Chevron isOpen={isOpen} />
            {strings.pendingRequests(pending.length)}
            {!isOnline && <span class="hint">{strings.reconnecting}</span>}
          </button>
        )}
        <ul class="stack-list" hidden={!isOpen}>
          {pending.map((interaction, index) => {
            const { id, title, deadline } = interaction;
            // The first is open; the others wait folded, unless there are few.
            const isFolded = folded.get(id) ?? (index > 0 && pending.length > 2 && !wereOpen.has(id));
            if (!isFolded) wereOpen.add(id);
            return (
              <li key={id} class="stack-item">
                <button
                  type="button"
                  class="stack-title"
                  aria-expanded={!isFolded}
                  aria-controls={`s-${id}`}
                  onClick={() => setFolded(new Map(folded).set(id, !isFolded))}
                >
                  <Chevron isOpen={!isFolded} />
                  <span class="stack-name">
                    <bdi>{title}</bdi>
                  </span>
                  {isFolded && deadline && <TimeLeft until={deadline.at} {...{ strings, locale }} />}
                </button>
                <div id={`s-${id}`} hidden={isFolded}>
                  <DraftedCard {...{ interaction, actions, drafts, strings, locale }} />
                </div>
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

const Chevron = ({ isOpen }: { isOpen: boolean }) => (
  <svg class={isOpen ? 'chevron open' : 'chevron'} viewBox="0 0 16 16" aria-hidden="true">
    <path d="M6 3.5 10.500 8 6 12.500" />
  </svg>
);
