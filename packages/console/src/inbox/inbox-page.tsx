/** The inbox: all pending requests of the org, live. Search, filter, answer in place, and approve several at once. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useUserName } from '../preferences.ts';
import { go, href, useRoute } from '../route.ts';
import { BulkApprove } from './bulk-approve.tsx';
import { narrow, sorted } from './filter-items.ts';
import { Filters, useWanted } from './filters.tsx';
import { WaitingRow } from './inbox-row.tsx';
import { useKeepPlace, useListKeys } from './list-focus.ts';
import { maxItems, useWaiting, type WaitingItem } from './pending-items.ts';
import { QuestionPane } from './request-pane.tsx';
import { usePicks } from './selection.ts';

const rowHeight = 76;
/** A user cannot read more than this before confirming. */
const maxPicks = 200;

export default function InboxPage({ id }: { id?: string }) {
  const { query } = useRoute();
  const { waiting, names, namesRead } = useWaiting();
  const [wanted, want] = useWanted(query);
  const me = useUserName();
  const box = useRef<HTMLDivElement>(null);
  const minute = useMinute();
  const ordered = useMemo(() => sorted(waiting.items, wanted.order), [waiting.items, wanted.order]);
  const shown = useMemo(
    () => narrow(ordered, wanted, { names, now: Date.now() }),
    [ordered, wanted, namesRead, minute],
  );
  const ids = useMemo(() => shown.map(({ interaction }) => interaction.id), [shown]);
  const agents = useMemo(
    () => [...new Set(waiting.items.map(({ interaction }) => names.agentOf(interaction)))].sort(),
    [waiting.items, namesRead],
  );
  const threads = useMemo(() => threadsOf(waiting.items, names.titleOf.bind(names)), [waiting.items, namesRead]);
  const picks = usePicks(shown, me, maxPicks);
  const [approving, setApproving] = useState<readonly WaitingItem[]>();
  const filters = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
  const addressOf = (each?: string) => href('inbox', each, filters);

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
        focusRow(box.current, id);
      }
    },
  });

  const item = shown.find(({ interaction }) => interaction.id === id);
  const next = nextOf(ids, id);
  const total = waiting.items.length;
  return (
    <Page title="Inbox" width="wide" lead={leadOf(waiting.isLoading, waiting.hasMore, total, shown.length)}>
      {waiting.error !== undefined && <Failed error={waiting.error} />}
      <p class="visually-hidden" role="status">
        {waiting.news}
      </p>
      <div class={id ? 'inbox has-question' : 'inbox'}>
        <div class="inbox-side" ref={box}>
          <Filters {...{ wanted, agents, threads }} onWant={want} />
          <div class="inbox-bulk">
            <button
              type="button"
              class="button small"
              aria-disabled={picks.pickable === 0 || undefined}
              onClick={() => (picks.chosen.length > 0 ? picks.clear() : picks.all())}
            >
              {picks.chosen.length > 0 ? 'Clear selection' : selectLabel(Math.min(picks.pickable, maxPicks))}
            </button>
            {picks.chosen.length > 0 && (
              <button type="button" class="button small primary" onClick={() => setApproving(picks.chosen)}>
                Approve {picks.chosen.length}…
              </button>
            )}
          </div>
          {total === 0 && waiting.isLoading && <Loading rows={6} what="Loading requests" />}
          {shown.length > 0 && (
            <VirtualList
              items={shown}
              rowHeight={rowHeight}
              label="Pending requests"
              class="inbox-list"
              keyOf={({ interaction }) => interaction.id}
              render={(each) => (
                <WaitingRow
                  item={each}
                  names={names}
                  href={addressOf(each.interaction.id)}
                  isOpen={each.interaction.id === id}
                  isPicked={picks.has(each.interaction.id)}
                  onPick={
                    picks.mayPick(each.interaction.id)
                      ? (isRange) => picks.toggle(each.interaction.id, isRange)
                      : undefined
                  }
                />
              )}
            />
          )}
          {total > 0 && shown.length === 0 && (
            <Empty title="No matching requests" icon="search">
              <p>
                {total.toLocaleString('en')} {total === 1 ? 'request is' : 'requests are'} pending. Change or clear the
                filters.
              </p>
            </Empty>
          )}
          {total === 0 && !waiting.isLoading && waiting.error === undefined && <NothingWaits />}
        </div>
        <div class="inbox-main">
          {id ? (
            <QuestionPane key={id} {...{ id, item, names }} back={addressOf()} next={next && addressOf(next)} />
          ) : (
            total > 0 && <Keys />
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

const selectLabel = (count: number): string => `Select ${count} ${count === 1 ? 'approval' : 'approvals'}`;

function leadOf(isLoading: boolean, hasMore: boolean, total: number, shown: number): string {
  if (hasMore)
    return `More than ${maxItems.toLocaleString('en')} requests are pending. These are the oldest ${total.toLocaleString('en')}.`;
  const all = `${total.toLocaleString('en')} pending ${total === 1 ? 'request' : 'requests'}`;
  const said = shown === total ? all : `${shown.toLocaleString('en')} of ${all}`;
  return isLoading ? `${said} so far, loading more…` : said;
}

/** The request after this one; before it, if it is the last; the first, if this one left the list. */
function nextOf(ids: readonly string[], id: string | undefined): string | undefined {
  const at = id === undefined ? -1 : ids.indexOf(id);
  return at < 0 ? ids[0] : (ids[at + 1] ?? ids[at - 1]);
}

function threadsOf(items: readonly WaitingItem[], titleOf: (id: string) => string) {
  const counts = new Map<string, number>();
  for (const { interaction } of items) counts.set(interaction.threadId, (counts.get(interaction.threadId) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 500)
    .map(([threadId, count]) => ({ id: threadId, title: `${titleOf(threadId)} (${count})` }));
}

function focusRow(box: HTMLElement | null, id: string): void {
  box?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)?.focus();
}

/** Filters by age and deadline depend on the current time. */
function useMinute(): number {
  const [minute, setMinute] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setMinute((count) => count + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

function NothingWaits() {
  const example = `curl ${location.origin}/v1/threads/release/interactions \\
  -H "Authorization: Bearer $HOLDPOINT_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{"kind": "approval", "title": "Deploy 4.2 to production?"}'`;
  return (
    <Empty title="No pending requests" icon="inbox">
      <p>
        Requests from agents appear here immediately. Answer one, and its agent continues. Try it in the{' '}
        <a href={href('playground')}>playground</a>, or create a request from a shell:
      </p>
      <Code text={example} what="the command" />
    </Empty>
  );
}

function Keys() {
  return (
    <div class="inbox-hint">
      <h2>Select a request to answer it here</h2>
      <dl class="keys">
        {[
          [['j', 'k'], 'Next, previous'],
          [['Enter'], 'Open'],
          [['x'], 'Select an approval; with Shift, a range'],
          [['a'], 'Approve the selected requests'],
          [['/'], 'Search'],
          [['Esc'], 'Back'],
        ].map(([pressed, does]) => (
          <div key={String(does)}>
            <dt>
              {(pressed as string[]).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
