/** All that waits for a person: filtered, gone through by the keyboard, and approvals decided together. */
import type { Interaction } from '@holdpoint/protocol';
import { useRef, useState } from 'preact/hooks';
import type { Drafts } from '../connection/drafts.ts';
import type { RequestActions } from '../request/request-card.tsx';
import type { Strings } from '../strings/strings.ts';
import { approvalOf } from './approval-of.ts';
import { BulkApproval } from './bulk-approval.tsx';
import { InboxItem } from './inbox-item.tsx';

export interface InboxViewProps {
  /** Undefined until they are known. */
  pending: readonly Interaction[] | undefined;
  isOnline: boolean;
  news: string;
  actions: RequestActions;
  drafts: Drafts;
  strings: Strings;
  locale: string;
}

export function InboxView({ pending, isOnline, news, actions, drafts, strings, locale }: InboxViewProps) {
  const [filter, setFilter] = useState('');
  const [kind, setKind] = useState('');
  const [openId, open] = useState<string>();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  if (!pending)
    return (
      <p class="state" aria-busy="true">
        {strings.loading}
      </p>
    );
  const wanted = filter.trim().toLowerCase();
  const shown = pending.filter(
    (one) => (kind === '' || one.kind === kind) && (wanted === '' || textOf(one).includes(wanted)),
  );
  const chosen = shown.filter(({ id }) => picked.has(id));
  const pick = (id: string) => {
    const after = new Set(picked);
    if (!after.delete(id)) after.add(id);
    setPicked(after);
  };
  /** Up and down go from request to request, as in a list of mail. */
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[
      event.key
    ];
    const heads = [...(list.current?.querySelectorAll<HTMLElement>('.inbox-title') ?? [])];
    const at = heads.indexOf(event.target as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    heads[Math.max(0, Math.min(heads.length - 1, at + step))]?.focus();
  };
  return (
    <section class="inbox" aria-label={strings.inbox}>
      <p class="visually-hidden" role="status">
        {news}
      </p>
      <div class="inbox-bar">
        <input
          class="control"
          type="search"
          aria-label={strings.filterRequests}
          placeholder={strings.filterRequests}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <select
          class="control"
          aria-label={strings.kind}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
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
      {chosen.length > 0 && <BulkApproval {...{ chosen, actions, strings }} onDone={() => setPicked(new Set())} />}
      {pending.length === 0 && (
        <slot name="empty">
          <p class="state">{strings.noRequests}</p>
        </slot>
      )}
      {pending.length > 0 && shown.length === 0 && <p class="state">{strings.noRequestFound}</p>}
      <ul class="stack-list" ref={list} onKeyDown={move}>
        {shown.map((interaction) => (
          <InboxItem
            key={interaction.id}
            {...{ interaction, actions, drafts, strings, locale }}
            isOpen={openId === interaction.id}
            isPicked={picked.has(interaction.id)}
            onOpen={() => open(openId === interaction.id ? undefined : interaction.id)}
            onPick={approvalOf(interaction) ? () => pick(interaction.id) : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

const textOf = ({ title, body = '' }: Interaction): string => `${title}\n${body}`.toLowerCase();
