/** The pending requests of the org: loaded page by page, kept current by the event stream, and selected for approval. */
import { defined, type EventType, type Interaction, type LogEvent, type Thread } from '@holdpoint/protocol';
import { approvalOf, type Values } from '@holdpoint/widget/approval';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pagesOf } from '../load.ts';
import { Names } from '../look-up.ts';
import { claimOfOthers, hasVoted, type Myself, mayAnswer, useMe } from '../me.ts';
import { followEvents, isGone, service } from '../service.ts';

export interface PendingItem {
  interaction: Interaction;
  /** Lower-case text for the search: title, prompt, thread and field labels. */
  text: string;
}

function toItem(interaction: Interaction): PendingItem {
  const { title, body = '', threadId, fields, run, createdBy } = interaction;
  const labels = fields.flatMap((field) => [
    ...('label' in field && field.label !== undefined ? [field.label] : []),
    ...('name' in field ? [field.name] : []),
    ...('options' in field ? field.options.map(({ label }) => label) : []),
  ]);
  const texts = [title, body, threadId, run?.id ?? '', createdBy.id, ...labels];
  return { interaction, text: texts.join('\n').toLowerCase() };
}

/** The values that approve this request in bulk. Undefined if the user must read it first or may not answer it. */
export function allowanceOf({ interaction }: PendingItem, me: Myself): Values | undefined {
  // Each answer with a passkey is signed by itself.
  const isSigned = interaction.assurance === 'passkey';
  const isBlocked = isSigned || hasVoted(interaction, me) || claimOfOthers(interaction, me) !== undefined;
  return mayAnswer(interaction, me) && !isBlocked ? approvalOf(interaction) : undefined;
}

export interface Pending {
  items: readonly PendingItem[];
  /** True while further pages load. */
  isLoading: boolean;
  /** True if there are more than maxItems. */
  hasMore: boolean;
  error: unknown;
  /** The last change, for screen readers. */
  news: string;
}

const nothingYet: Pending = { items: [], isLoading: true, hasMore: false, error: undefined, news: '' };

const pageSize = 200;
/** About 40 MB of memory. A user with more pending requests does not read them one by one. */
export const maxItems = 20_000;

/**
 * The user's own requests load first, so that more than `maxItems` of others hide none of them. Members see few others,
 * so one list has all of theirs.
 */
const assigneesOf = ({ person, seesOrg }: Myself): string[] =>
  seesOrg ? [`person:${person.id}`, ...person.groups.map((group) => `group:${group}`)] : [];

const changing: readonly EventType[] = [
  'interaction.updated',
  'interaction.voted',
  'interaction.escalated',
  'interaction.claimed',
  'interaction.released',
  'interaction.reassigned',
];
const closing: readonly EventType[] = [
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
];
const naming: readonly EventType[] = ['thread.created', 'thread.updated'];
const types: readonly EventType[] = ['interaction.created', ...changing, ...closing, ...naming];

interface Follower {
  me: Myself;
  onChange(pending: Pending): void;
  /** Called when a thread is created or renamed. */
  onThread(thread: Thread): void;
}

function followPending({ me, onChange, onThread }: Follower, signal: AbortSignal): void {
  const items = new Map<string, PendingItem>();
  /** Requests that closed while the list was loading. A page that was read earlier may still contain them. */
  const closed = new Set<string>();
  let state = nothingYet;
  let isDue = false;
  let turn = 0;

  /** Reports all changes of 30 ms together. */
  const report = (change: Partial<Pending> = {}) => {
    state = { ...state, ...change };
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (!signal.aborted) onChange({ ...state, items: [...items.values()] });
    }, 30);
  };

  function put(interaction: Interaction): boolean {
    const { id, version, status } = interaction;
    const before = items.get(id);
    if (closed.has(id) || (before && before.interaction.version > version)) return false;
    if (status === 'pending') items.set(id, toItem(interaction));
    else items.delete(id);
    return true;
  }

  /**
   * Loads again after the tab was hidden for long. Requests that closed meanwhile are removed once all pages are read.
   */
  async function load(): Promise<void> {
    turn += 1;
    const mine = turn;
    const unseen = new Set(items.keys());
    report({ isLoading: true, hasMore: false, error: undefined });
    let hasMore = false;
    try {
      for (const assignee of [...assigneesOf(me), undefined]) {
        const query = { status: 'pending', order: 'oldest', limit: pageSize, ...defined({ assignee }) } as const;
        for await (const { data, next } of pagesOf((page) => service.listInteractions({ ...query, ...page }))) {
          if (signal.aborted || mine !== turn) return;
          for (const interaction of data) {
            put(interaction);
            unseen.delete(interaction.id);
          }
          hasMore = next !== undefined;
          report();
          if (items.size >= maxItems) break;
        }
      }
      if (!hasMore) for (const id of unseen) items.delete(id);
      report({ isLoading: false, hasMore });
    } catch (error) {
      if (mine === turn) report({ isLoading: false, error });
    }
  }

  /** A member no longer sees a question that was given to others. */
  async function refresh(interactionId: string): Promise<boolean> {
    try {
      return put(await service.getInteraction({ interactionId }));
    } catch (error) {
      return isGone(error) && items.delete(interactionId);
    }
  }

  async function take({ type, interactionId, data }: LogEvent): Promise<void> {
    if ('thread' in data) onThread(data.thread);
    if (interactionId === undefined) return;
    if (closing.includes(type)) {
      closed.add(interactionId);
      const gone = items.get(interactionId);
      if (gone && items.delete(interactionId)) report({ news: `Closed: ${gone.interaction.title}` });
    } else if (type === 'interaction.created') {
      const asked = data.interaction as Interaction;
      if (items.size < maxItems && put(asked)) report({ news: `New: ${asked.title}` });
    } else if (changing.includes(type) && (await refresh(interactionId))) report();
  }

  const stop = followEvents(
    { types },
    (event) => void take(event),
    () => void load(),
  );
  signal.addEventListener('abort', stop);
}

export function usePending(): { pending: Pending; names: Names; namesRead: number } {
  const [pending, setPending] = useState(nothingYet);
  const [namesRead, setNamesRead] = useState(0);
  const me = useMe();
  const [names] = useState(() => new Names(me.seesOrg));
  useEffect(() => {
    const leaving = new AbortController();
    const onPage = () => !leaving.signal.aborted && setNamesRead((count) => count + 1);
    const onThread = (thread: Thread) => {
      names.put(thread);
      onPage();
    };
    followPending({ me, onChange: setPending, onThread }, leaving.signal);
    // Without a name, rows show the id.
    void names.load(onPage, leaving.signal).catch(() => {});
    return () => leaving.abort();
  }, []);
  return { pending, names, namesRead };
}

/** `most`: the largest number of selected rows. */
export function usePicks(shown: readonly PendingItem[], me: Myself, most: number) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  // `approvalOf` remembers its result for each version of a request. Otherwise ten thousand would take about 50 ms.
  const may = useMemo(
    () => new Set(shown.filter((item) => allowanceOf(item, me)).map(({ interaction }) => interaction.id)),
    [shown, me],
  );
  const chosen = useMemo(
    () =>
      picked.size === 0 ? [] : shown.filter(({ interaction }) => picked.has(interaction.id) && may.has(interaction.id)),
    [shown, picked, may],
  );
  const idsBetween = (from: string | undefined, to: string): string[] => {
    const ids = shown.map(({ interaction }) => interaction.id);
    const start = from === undefined ? -1 : ids.indexOf(from);
    const end = ids.indexOf(to);
    return Math.min(start, end) < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1);
  };
  return {
    chosen,
    /** The number of rows that can be selected. */
    pickable: may.size,
    has: (id: string) => picked.has(id),
    mayPick: (id: string) => may.has(id),
    /** isRange: selects all rows from the last selected one to this one. */
    toggle(id: string, isRange: boolean) {
      const after = new Set(picked);
      const ids = isRange ? idsBetween(last.current, id) : [id];
      const isOn = isRange || !picked.has(id);
      for (const each of ids.filter((one) => may.has(one)))
        if (!isOn) after.delete(each);
        else if (after.size < most) after.add(each);
      last.current = id;
      setPicked(after);
    },
    all: () => setPicked(new Set([...may].slice(0, most))),
    clear: () => setPicked(new Set()),
  };
}
