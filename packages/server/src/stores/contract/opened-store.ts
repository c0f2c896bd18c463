import type { LogEvent } from '@holdpoint/protocol';
import { expect } from 'vitest';
import type { Change, EventHead, Listing, Store } from '../store.ts';

/** A new, empty store, and what a test may do to it. */
export interface OpenedStore {
  store: Store;
  /** Closes it, if it is not closed yet, and opens one on the same data. */
  reopen(): Promise<Store>;
  /** Closes it and throws its data away. */
  discard(): Promise<void>;
}

/** How a case gets at the store that was opened for it. */
export type Cases = (opened: () => OpenedStore) => void;

/** Commits in turn, each of which must succeed. */
export async function commitAll(store: Store, ...changes: Change[]): Promise<EventHead[]> {
  const heads: EventHead[] = [];
  for (const change of changes) {
    const committed = await store.commit(change);
    if (!committed.ok) throw new Error(`a change was refused: ${committed.reason}`);
    heads.push(...committed.events);
  }
  return heads;
}

export const expectConflict = async (store: Store, change: Change): Promise<void> =>
  expect(await store.commit(change)).toEqual({ ok: false, reason: 'conflict' });

/** Commits all at once, and says which of them were saved. */
export async function winnersOf(store: Store, changes: readonly Change[]): Promise<number[]> {
  const committed = await Promise.all(changes.map((change) => store.commit(change)));
  for (const result of committed) if (!result.ok) expect(result).toEqual({ ok: false, reason: 'conflict' });
  return committed.flatMap(({ ok }, n) => (ok ? [n] : []));
}

/** Reads page after page until there is no next one. */
export async function readPages<T>(read: (cursor?: string) => Promise<{ items: T[]; next?: string }>): Promise<T[][]> {
  const pages: T[][] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await read(cursor);
    pages.push(items);
    if (next === undefined) return pages;
    expect(next).not.toBe(cursor);
    cursor = next;
  }
}

/** Reads as many events as the limit says, however many pages they take. */
export async function readEvents(store: Store, by: Parameters<Store['readEvents']>[0]): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for (let after: string | undefined = by.after; after !== undefined && events.length < by.limit; ) {
    const { items, next }: Listing<LogEvent> = await store.readEvents({
      ...by,
      after,
      limit: by.limit - events.length,
    });
    events.push(...items);
    after = next;
  }
  return events;
}

/** A cursor before the first event of every store. */
export const beginning = '0'.padStart(16, '0');
