/** All that waits in the org: usable from the first page on, while the others follow, and as it changes. */

import type { Interaction, LogEvent, Thread } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { followEvents, service } from '../service.ts';
import { toItem, type WaitingItem } from './waiting-item.ts';

export interface Waiting {
  items: readonly WaitingItem[];
  /** Pages are still on their way. */
  isLoading: boolean;
  /** There are more than are shown here. */
  hasMore: boolean;
  error: unknown;
  /** What just came or went, in words for whoever cannot see the list. */
  news: string;
}

const pageSize = 200;
/** Held in memory: some 40 MB. Who has more waiting does not read them one by one. */
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

export interface WaitingFollower {
  onChange(waiting: Waiting): void;
  /** A thread was opened, or is called otherwise. */
  onThread(thread: Thread): void;
}

export function followWaiting({ onChange, onThread }: WaitingFollower, signal: AbortSignal): void {
  const items = new Map<string, WaitingItem>();
  /** What was seen to close: a page that was read before may still have it. */
  const closed = new Set<string>();
  let state: Omit<Waiting, 'items'> = { isLoading: true, hasMore: false, error: undefined, news: '' };
  let isDue = false;
  let turn = 0;

  /** Once for all that comes at the same time. */
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

  /** Again after a long absence: what is there stays, and what was closed meanwhile goes when all is read. */
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
