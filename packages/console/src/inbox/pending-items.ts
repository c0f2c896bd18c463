/** The pending requests of the org: loaded page by page, then kept current by the event stream. */
import { defined, type Interaction, type LogEvent, type Thread } from '@holdpoint/protocol';
import { approvalOf, type Values } from '@holdpoint/widget/approval';
import { useEffect, useRef, useState } from 'preact/hooks';
import { followEvents, service } from '../service.ts';
import { NameBook, type Names } from './names.ts';

export interface WaitingItem {
  interaction: Interaction;
  /** Lower-case text for the search: title, prompt, thread and field labels. */
  text: string;
}

function toItem(interaction: Interaction): WaitingItem {
  const { title, body = '', threadId, fields, run, createdBy } = interaction;
  const labels = fields.flatMap((field) => [
    ...('label' in field && field.label !== undefined ? [field.label] : []),
    ...('name' in field ? [field.name] : []),
    ...('options' in field ? field.options.map(({ label }) => label) : []),
  ]);
  const said = [title, body, threadId, run?.id ?? '', createdBy.id, ...labels].join('\n').toLowerCase();
  return { interaction, text: said };
}

/** The values that approve this request in bulk. Undefined if the user must read it first or may not answer it. */
export function allowanceOf({ interaction }: WaitingItem, me: string): Values | undefined {
  const { responder, votes } = interaction;
  const isForMe = responder.type === 'human' || responder.type === 'any';
  const isNamed = !responder.assignees || responder.assignees.includes(me);
  const hasVoted = votes.some(({ by }) => by.type === 'human' && by.id === me);
  return isForMe && isNamed && !hasVoted ? approvalOf(interaction) : undefined;
}

export interface Waiting {
  items: readonly WaitingItem[];
  /** True while further pages load. */
  isLoading: boolean;
  /** True if there are more than maxItems. */
  hasMore: boolean;
  error: unknown;
  /** The last change, for screen readers. */
  news: string;
}

const pageSize = 200;
/** About 40 MB of memory. A user with more pending requests does not read them one by one. */
export const maxItems = 20_000;

const changing = ['interaction.updated', 'interaction.voted', 'interaction.escalated'] as const;
const closing = [
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
] as const;
const isOneOf = (types: readonly string[], type: string) => types.includes(type);

const naming = ['thread.created', 'thread.updated'] as const;

interface WaitingFollower {
  onChange(waiting: Waiting): void;
  /** Called when a thread is created or renamed. */
  onThread(thread: Thread): void;
}

function followWaiting({ onChange, onThread }: WaitingFollower, signal: AbortSignal): void {
  const items = new Map<string, WaitingItem>();
  /** Requests that closed while the list was loading. A page that was read earlier may still contain them. */
  const closed = new Set<string>();
  let state: Omit<Waiting, 'items'> = { isLoading: true, hasMore: false, error: undefined, news: '' };
  let isDue = false;
  let turn = 0;

  /** Reports all changes of 30 ms together. */
  const tell = (change: Partial<typeof state> = {}) => {
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
    tell({ isLoading: true, hasMore: false, error: undefined });
    let cursor: string | undefined;
    try {
      do {
        const page = await service.listInteractions({
          ...{ status: 'pending', order: 'oldest', limit: pageSize },
          ...defined({ cursor: cursor || undefined }),
        });
        if (signal.aborted || mine !== turn) return;
        for (const interaction of page.data) {
          put(interaction);
          unseen.delete(interaction.id);
        }
        cursor = page.next;
        tell();
      } while (cursor && items.size < maxItems);
      if (!cursor) for (const id of unseen) items.delete(id);
      tell({ isLoading: false, hasMore: cursor !== undefined });
    } catch (error) {
      if (mine === turn) tell({ isLoading: false, error });
    }
  }

  async function take({ type, interactionId, data }: LogEvent): Promise<void> {
    if ('thread' in data) onThread(data.thread);
    if (interactionId === undefined) return;
    if (isOneOf(closing, type)) {
      closed.add(interactionId);
      const gone = items.get(interactionId);
      if (gone && items.delete(interactionId)) tell({ news: `Closed: ${gone.interaction.title}` });
    } else if (type === 'interaction.created') {
      const asked = data.interaction as Interaction;
      if (items.size < maxItems && put(asked)) tell({ news: `New: ${asked.title}` });
    } else if (isOneOf(changing, type) && (await service.getInteraction({ interactionId }).then(put, () => false))) {
      tell();
    }
  }

  const types = ['interaction.created', ...changing, ...closing, ...naming] as const;
  followEvents(
    { types },
    (event) => void take(event as LogEvent),
    signal,
    () => void load(),
  );
}

const nothingYet: Waiting = { items: [], isLoading: true, hasMore: false, error: undefined, news: '' };

export function useWaiting(): { waiting: Waiting; names: Names; namesRead: number } {
  const [waiting, setWaiting] = useState(nothingYet);
  const [namesRead, setNamesRead] = useState(0);
  const names = useRef(new NameBook());
  useEffect(() => {
    const stop = new AbortController();
    const onPage = () => !stop.signal.aborted && setNamesRead((count) => count + 1);
    const onThread = (thread: Thread) => {
      names.current.put(thread);
      onPage();
    };
    followWaiting({ onChange: setWaiting, onThread }, stop.signal);
    // Without a name, rows show the id.
    void names.current.load(onPage, stop.signal).catch(() => {});
    return () => stop.abort();
  }, []);
  return { waiting, names: names.current, namesRead };
}
