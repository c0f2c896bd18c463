/** The pending questions, one above the other. Each can be folded, which answers nothing. */
import type { Interaction } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import { filled } from '../strings/strings.ts';
import { DraftedCard } from './drafted-card.tsx';
import { TimeLeft } from './prompt.tsx';
import type { AnsweringProps, LocalQuestionProps } from './request-props.ts';
import { useSteadyList } from './use-steady-list.ts';

interface RequestStackProps extends AnsweringProps {
  pending: readonly Interaction[];
  isOnline: boolean;
}

export function RequestStack({ pending, isOnline, strings, locale, ...answering }: RequestStackProps) {
  const [isOpen, open] = useState(true);
  /** The questions that the person has folded (true) or unfolded (false). */
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  /** An open question stays open when others come and go, because the person may be typing in it. */
  const wereOpen = useRef(new Set<string>()).current;
  const { items, isEngaged, isGone, isBegun, setBegun, attributes } = useSteadyList<HTMLElement>(pending);
  const first = items.find((one) => !isGone(one));
  const engagedAt = [...(attributes.ref.current?.querySelectorAll('.stack-item') ?? [])].findLastIndex((item) =>
    item.matches(':hover, :focus-within'),
  );
  // Closed requests with input of the person have no head of their own, unless removing it would move them.
  const hasHead = pending.length > 0 || (isEngaged && items.length > 0);
  return (
    <section
      class="stack"
      aria-label={strings.pendingRequests(pending.length)}
      hidden={items.length === 0}
      {...attributes}
    >
      {hasHead && (
        <button type="button" class="stack-head" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          <Chevron isOpen={isOpen} />
          {strings.pendingRequests(pending.length)}
          {!isOnline && <span class="hint">{strings.reconnecting}</span>}
        </button>
      )}
      <ul class="stack-list" hidden={hasHead && !isOpen}>
        {items.map((interaction, index) => {
          const { id } = interaction;
          const isClosed = isGone(interaction);
          const isLost = isClosed && isBegun(interaction);
          // The first request is open. If there are more than two, the others are folded. None opens above the request
          // that the pointer or the focus is in, because that one would move.
          const isWaiting = (interaction !== first && pending.length > 2) || index < engagedAt;
          // A lost answer is shown with the decision, as soon as the person is not in the list.
          const isFolded = isLost && !isEngaged ? false : (folded.get(id) ?? (isWaiting && !wereOpen.has(id)));
          if (!isFolded) wereOpen.add(id);
          return (
            <li key={id} class="stack-item">
              <ItemTitle
                {...{ interaction, strings, locale }}
                partId={`s-${id}`}
                isOpen={!isFolded}
                isGone={isClosed}
                isButton={!isClosed || isLost}
                onToggle={() => setFolded(new Map(folded).set(id, !isFolded))}
                before={<Chevron isOpen={!isFolded} />}
              />
              <div id={`s-${id}`} hidden={isFolded}>
                <DraftedCard
                  {...{ interaction, strings, locale, ...answering }}
                  isGone={isClosed}
                  isStill={isEngaged}
                  onBegun={(isBegun) => setBegun(id, isBegun)}
                />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const Chevron = ({ isOpen }: { isOpen: boolean }) => (
  <svg class={isOpen ? 'chevron open' : 'chevron'} viewBox="0 0 16 16" aria-hidden="true">
    <path d="M6 3.5 10.500 8 6 12.500" />
  </svg>
);

interface ItemTitleProps extends LocalQuestionProps {
  /** The id of the part that the button opens. */
  partId: string;
  isOpen: boolean;
  isGone: boolean;
  /** False for a closed question in which the person has entered nothing. It cannot be opened. */
  isButton: boolean;
  onToggle(): void;
  look?: string;
  before?: ComponentChildren;
  /** More about the question, under its title. */
  children?: ComponentChildren;
}

export function ItemTitle({ interaction, strings, locale, children, ...props }: ItemTitleProps) {
  const { partId, isOpen, isGone, isButton, onToggle, look = '', before } = props;
  const { title, deadline } = interaction;
  const text = <OwnText text={title} />;
  const name = (
    <span class="stack-name">
      {isGone ? filled(strings.closedElsewhere, text) : text}
      {isButton && children}
    </span>
  );
  if (!isButton) return <p class={`stack-title closed ${look}`}>{name}</p>;
  return (
    <button
      type="button"
      class={`stack-title ${look}`}
      aria-expanded={isOpen}
      aria-controls={partId}
      onClick={onToggle}
    >
      {before}
      {name}
      {!isOpen && deadline && <TimeLeft until={deadline.at} {...{ strings, locale }} />}
    </button>
  );
}
