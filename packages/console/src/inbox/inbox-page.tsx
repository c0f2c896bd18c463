/** The inbox: all pending requests of the org, live. Search, filter, answer in place, and approve several at once. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { Keys } from '../frame/shortcuts.tsx';
import { useEvery } from '../load.ts';
import type { Names } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, href, useRoute } from '../route.ts';
import { BulkApprove } from './bulk-approve.tsx';
import { Filters, narrow, ShowSegments, sorted, useWanted } from './filters.tsx';
import { InboxRow } from './inbox-row.tsx';
import { useKeepPlace, useListKeys } from './list-focus.ts';
import { maxItems, type Pending, type PendingItem, usePending, usePicks } from './pending-items.ts';
import { RequestPane } from './request-pane.tsx';

const rowHeight = 76;
/** A user cannot read more than this before confirming. */
const maxPicks = 200;

export default function InboxPage({ id }: { id?: string }) {
  const { query } = useRoute();
  const { pending, names, namesRead } = usePending();
  const { items, isLoading, error } = pending;
  const [wanted, want] = useWanted(query);
  const me = useMe();
  const box = useRef<HTMLDivElement>(null);
  // Filters by age and deadline depend on the current time.
  const [minute, setMinute] = useState(0);
  useEvery(60_000, () => setMinute((count) => count + 1));
  const ordered = useMemo(() => sorted(items, wanted.order), [items, wanted.order]);
  const shown = useMemo(
    () => narrow(ordered, wanted, { names, me: me.person, now: Date.now() }),
    [ordered, wanted, namesRead, minute, me.person],
  );
  const ids = useMemo(() => shown.map(({ interaction }) => interaction.id), [shown]);
  const agents = useMemo(
    () => [...new Set(items.map(({ interaction }) => names.agentOf(interaction)))].sort(),
    [items, namesRead],
  );
  const threads = useMemo(() => threadsOf(items, names), [items, namesRead]);
  const picks = usePicks(shown, me, maxPicks);
  const pickable = Math.min(picks.pickable, maxPicks);
  const [approving, setApproving] = useState<readonly PendingItem[]>();
  const addressOf = (each?: string) => href('inbox', each, { ...wanted });

  useKeepPlace(box, ids, rowHeight);
  useListKeys(box, {
    onPick: picks.toggle,
    onApprove: (at) => {
      const one = shown.filter(({ interaction }) => interaction.id === at && picks.mayPick(interaction.id));
      const items = picks.chosen.length > 0 ? picks.chosen : one;
      if (items.length > 0) setApproving(items);
    },
    onBack: () => {
      if (picks.chosen.length > 0) picks.clear();
      else if (id) {
        go(addressOf());
        box.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)?.focus();
      }
    },
  });

  const item = items.find(({ interaction }) => interaction.id === id);
  const next = nextOf(ids, id);
  const total = items.length;
  const count = picks.chosen.length;
  return (
    <Page
      title="Inbox"
      width="wide"
      lead={leadOf(pending, shown.length)}
      actions={<ShowSegments {...{ wanted, items }} onWant={want} />}
    >
      {error !== undefined && <Failed error={error} />}
      <p class="visually-hidden" role="status">
        {pending.news}
      </p>
      <div class={id ? 'inbox has-question' : 'inbox'}>
        <div class="inbox-side" ref={box}>
          <Filters {...{ wanted, agents }} threads={me.seesOrg ? threads : []} onWant={want} />
          <div class="inbox-bulk">
            {/* One button with two texts keeps the focus. */}
            {me.answers && (
              <Button
                text={count > 0 ? 'Clear selection' : `Select ${pickable} ${pickable === 1 ? 'approval' : 'approvals'}`}
                look="small"
                isOff={picks.pickable === 0}
                onClick={count > 0 ? picks.clear : picks.all}
              />
            )}
            {count > 0 && (
              <Button text={`Approve ${count}…`} look="small primary" onClick={() => setApproving(picks.chosen)} />
            )}
          </div>
          {total === 0 && isLoading && <Loading rows={6} what="Loading requests" />}
          {shown.length > 0 && (
            <VirtualList
              items={shown}
              rowHeight={rowHeight}
              label="Pending requests"
              class="inbox-list"
              keyOf={({ interaction }) => interaction.id}
              render={(each) => (
                <InboxRow
                  {...{ names, picks }}
                  interaction={each.interaction}
                  href={addressOf(each.interaction.id)}
                  isOpen={each.interaction.id === id}
                />
              )}
            />
          )}
          {total > 0 && shown.length === 0 && (
            <Empty title="No matching requests" icon="search">
              {total.toLocaleString('en')} {total === 1 ? 'request is' : 'requests are'} pending. Change or clear the
              filters.
            </Empty>
          )}
          {total === 0 && !isLoading && error === undefined && <NothingPending isAdmin={me.isAdmin} />}
        </div>
        <div class="inbox-main">
          {id && <RequestPane key={id} {...{ id, item, names }} back={addressOf()} next={next && addressOf(next)} />}
          {!id && total > 0 && (
            <div class="inbox-hint">
              <h2>Select a request to answer it here</h2>
              <Keys keys={keys} />
            </div>
          )}
        </div>
      </div>
      {approving && (
        <BulkApprove
          items={approving}
          names={names}
          onClose={() => {
            setApproving(undefined);
            picks.clear();
          }}
        />
      )}
    </Page>
  );
}

function leadOf({ items, isLoading, hasMore }: Pending, shown: number): string {
  const total = items.length.toLocaleString('en');
  if (hasMore) return `More than ${maxItems.toLocaleString('en')} requests are pending. These are the oldest ${total}.`;
  const all = `${total} pending ${items.length === 1 ? 'request' : 'requests'}`;
  const lead = shown === items.length ? all : `${shown.toLocaleString('en')} of ${all}`;
  return isLoading ? `${lead} so far, loading more…` : lead;
}

/** The request after this one; before it, if it is the last; the first, if this one left the list. */
function nextOf(ids: readonly string[], id: string | undefined): string | undefined {
  const at = id === undefined ? -1 : ids.indexOf(id);
  return at < 0 ? ids[0] : (ids[at + 1] ?? ids[at - 1]);
}

function threadsOf(items: readonly PendingItem[], names: Names): (readonly [id: string, title: string])[] {
  const byThread = Map.groupBy(items, ({ interaction }) => interaction.threadId);
  return [...byThread]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 500)
    .map(([threadId, { length }]) => [threadId, `${names.titleOf(threadId) ?? threadId} (${length})`]);
}

const example = () => `curl ${location.origin}/v1/threads/release/interactions \\
  -H "Authorization: Bearer $HOLDPOINT_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{"kind": "approval", "title": "Deploy 4.2 to production?"}'`;

const NothingPending = ({ isAdmin }: { isAdmin: boolean }) =>
  isAdmin ? (
    <Empty title="No pending requests" icon="inbox" more={<Code text={example()} what="the command" />}>
      Requests from agents appear here immediately. Answer one, and its agent continues. Try it in the{' '}
      <a href={href('playground')}>playground</a>, or create a request from a shell:
    </Empty>
  ) : (
    <Empty title="No pending requests" icon="inbox">
      Requests for you, for your groups or for anyone appear here immediately.
    </Empty>
  );

const keys = [
  [['j', 'k'], 'Next, previous'],
  [['Enter'], 'Open'],
  [['x'], 'Select an approval; with Shift, a range'],
  [['a'], 'Approve the selected requests'],
  [['/'], 'Search'],
  [['Esc'], 'Back'],
] as const;
