/** The inbox, as one script to fetch: lists the pending requests, filters them, and approves several together. */
import type { Interaction } from '@holdpoint/protocol';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { InboxFeed, type InboxOptions } from '../connection/inbox-feed.ts';
import { useResponder } from '../request/request-card.tsx';
import type { AnsweringProps } from '../request/request-props.ts';
import { voteOf } from '../request/responder.ts';
import { useSteadyList } from '../request/use-steady-list.ts';
import { inbox as rules } from '../style/inbox.ts';
import { addRules } from '../style/sheets.ts';
import { approvalOf } from './approval-of.ts';
import { BulkApproval } from './bulk-approval.tsx';
import { InboxItem } from './inbox-item.tsx';
import { moveInList } from './move-in-list.ts';

/** Starts to follow the inbox, and adds its style rules to the element. */
export function startInbox(root: ShadowRoot, options: InboxOptions): InboxFeed {
  addRules(root, rules);
  return new InboxFeed(options);
}

interface InboxViewProps extends AnsweringProps {
  /** Undefined until loaded. */
  pending: readonly Interaction[] | undefined;
  isOnline: boolean;
  news: string;
}

const none: readonly Interaction[] = [];

/** This many lines are rendered at first, and as many more whenever the person scrolls near the end. */
const drawnAtOnce = 40;

export function InboxView({ pending, isOnline, news, actions, drafts, strings, locale }: InboxViewProps) {
  const [filter, setFilter] = useState({ text: '', kind: '' });
  const [openId, open] = useState<string>();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [drawn, draw] = useState(drawnAtOnce);
  const steady = useSteadyList<HTMLUListElement>(pending ?? none);
  const shown = useMemo(() => filtered(steady.items, filter), [steady.items, filter]);
  const areOthersAsked = pending?.some(({ resolution }) => resolution.mode !== 'first') ?? false;
  const responder = useResponder(actions, areOthersAsked);
  const isVoted = (one: Interaction) => voteOf(one, responder?.id) !== undefined;
  const pickable = useMemo(
    () => shown.filter((one) => !steady.isGone(one) && approvalOf(one) !== undefined && !isVoted(one)),
    [shown, responder],
  );
  // The same functions in every render, so that an unchanged line is not rendered again.
  const toggleOpen = useCallback((id: string) => open((before) => (before === id ? undefined : id)), []);
  const pick = useCallback((id: string) => setPicked((before) => toggled(before, id)), []);
  const end = useSight(() => draw((count) => count + drawnAtOnce));
  if (!pending)
    return (
      <p class="state" aria-busy="true">
        {strings.loading}
      </p>
    );
  const isLost = (one: Interaction) => steady.isGone(one) && steady.isBegun(one);
  const chosen = pickable.filter(({ id }) => picked.has(id));
  const isAllPicked = chosen.length === pickable.length;
  const waiting = shown.filter((one) => !steady.isGone(one)).length;
  const counts = waiting === pending.length ? waiting : `${waiting} / ${pending.length}`;
  return (
    <section
      class="inbox"
      aria-label={strings.inbox}
      onKeyDown={(event) =>
        moveInList(event, { list: steady.attributes.ref.current, drawAll: () => draw(Number.POSITIVE_INFINITY) })
      }
    >
      <p class="visually-hidden" role="status">
        {news}
      </p>
      <InboxBar {...{ filter, setFilter, isOnline, strings }} />
      <BulkApproval {...{ chosen, actions, strings, locale }} onDone={() => setPicked(new Set())} />
      {steady.items.length === 0 && (
        <slot name="empty">
          <p class="state">{strings.noRequests}</p>
        </slot>
      )}
      {steady.items.length > 0 && shown.length === 0 && <p class="state">{strings.noRequestFound}</p>}
      {shown.length > 0 && (
        <div class="inbox-head">
          {pickable.length > 1 ? (
            <label class="tick">
              <input
                type="checkbox"
                checked={isAllPicked}
                onChange={() => setPicked(new Set(isAllPicked ? [] : pickable.map(({ id }) => id)))}
              />
              {strings.selectAll(pickable.length)}
            </label>
          ) : (
            <span />
          )}
          <span class="hint">{counts}</span>
        </div>
      )}
      <ul class="stack-list" {...steady.attributes}>
        {shown.slice(0, drawn).map((interaction, index) => (
          <InboxItem
            key={interaction.id}
            {...{ interaction, actions, drafts, strings, locale }}
            place={shown.length > drawn ? { index, count: shown.length } : undefined}
            isOpen={openId === interaction.id || (isLost(interaction) && !steady.isEngaged)}
            isGone={steady.isGone(interaction)}
            isBegun={steady.isBegun(interaction)}
            isStill={steady.isEngaged}
            onBegun={steady.setBegun}
            isPicked={picked.has(interaction.id)}
            isVoted={isVoted(interaction)}
            onOpen={toggleOpen}
            onPick={pickable.includes(interaction) ? pick : undefined}
          />
        ))}
      </ul>
      {shown.length > drawn && <div key={drawn} class="inbox-end" ref={end} />}
      {shown.length > 1 && <p class="hint inbox-keys">{strings.keysHint}</p>}
    </section>
  );
}

interface Filter {
  text: string;
  kind: string;
}

function filtered(pending: readonly Interaction[], { text, kind }: Filter): readonly Interaction[] {
  const wanted = text.trim().toLowerCase();
  return pending.filter(
    (one) =>
      (kind === '' || one.kind === kind) &&
      (wanted === '' || `${one.title}\n${one.body ?? ''}`.toLowerCase().includes(wanted)),
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

/** Calls `onSeen` when the mark comes near to the visible area. */
function useSight(onSeen: () => void): (mark: Element | null) => void {
  const observer = useMemo(
    () =>
      new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && onSeen(), {
        rootMargin: '600px',
      }),
    [],
  );
  useEffect(() => () => observer.disconnect(), []);
  // Each render has a new mark. If it is still near after more lines were rendered, it is reported again.
  return useCallback((mark) => {
    observer.disconnect();
    if (mark) observer.observe(mark);
  }, []);
}

interface InboxBarProps extends Pick<InboxViewProps, 'isOnline' | 'strings'> {
  filter: Filter;
  setFilter(filter: Filter): void;
}

const InboxBar = ({ filter, setFilter, isOnline, strings }: InboxBarProps) => (
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
