/**
 * Reads the log of one org from a cursor that is stored as a document. It misses no wanted event: the cursor moves only past
 * events of a page that it has read, and only if no other node has moved the cursor meanwhile.
 */
import type { EventFilter, LogEvent } from '@holdpoint/protocol';
import type { Document, DocumentChange } from '../stores/documents.ts';
import type { EventHead, Listing, Store } from '../stores/store.ts';
import { wants } from './event-channel.ts';

export const pageSize = 200;
/** How often the cursor is saved while no event is wanted. A restart reads the later ones again. */
const saveMs = 60_000;
/** After this number of unwanted events it reads anyway, so that it never has to skip a million events at once. */
const mostUnread = 5_000;

export interface LogReaderOptions {
  orgId: string;
  /** Id of the document. */
  id: string;
  store: Pick<Store, 'getDocument' | 'readEvents' | 'headCursor' | 'commit'>;
  filter?: EventFilter;
}

/**
 * Handles a page and saves the moved cursor. Called for an empty page too, because the cursor moves past events that the
 * filter left out. `passed`: nothing was saved, and the cursor need not be saved now. `overtaken`: the page must be read
 * again, because the commit was a conflict or the filter has changed.
 */
export type HandlePage = (
  events: readonly LogEvent[],
  moved: DocumentChange<'reader'>,
) => Promise<'saved' | 'passed' | 'overtaken'>;

export interface Progress {
  hasMore: boolean;
  /**
   * The stored cursor is not where this reader left it: it is read for the first time, a caller or another node has moved
   * it, or a commit that was reported as failed was done.
   */
  isMoved: boolean;
}

const none: Progress = { hasMore: false, isMoved: false };

export class LogReader {
  readonly #options: LogReaderOptions;
  #filter: EventFilter;
  /** Every event up to here was handled or is not wanted. */
  #cursor: string | undefined;
  #savedCursor: string | undefined;
  #savedAt = performance.now();
  /** Whether there may be wanted events after the cursor. */
  #hasNews = true;
  /** Number of events since the last read, none of them wanted. */
  #unread = 0;

  constructor(options: LogReaderOptions) {
    this.#options = options;
    this.#filter = options.filter ?? {};
  }

  /** Also makes the next read look, because the caller that changed the filter may have moved the cursor. */
  setFilter(filter: EventFilter): void {
    this.#filter = filter;
    this.#hasNews = true;
  }

  /** Called with committed events of the org. Reports whether they are a reason to read. */
  notice(heads: readonly EventHead[]): boolean {
    this.#unread += heads.length;
    const isNews = this.#unread >= mostUnread || heads.some((head) => wants(this.#filter, head));
    if (isNews) this.#hasNews = true;
    return isNews;
  }

  /** Handles one page, if there may be wanted events. */
  async read(handle: HandlePage): Promise<Progress> {
    if (!this.#hasNews) return none;
    this.#hasNews = false;
    this.#unread = 0;
    try {
      return await this.#readPage(handle);
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  /** Saves the cursor, so that the next reader need not read unwanted events again. */
  async stop(): Promise<void> {
    if (this.#cursor === this.#savedCursor) return;
    const reader = await this.#document();
    if (reader && reader.record.cursor === this.#savedCursor) await this.#save(reader);
  }

  async #readPage(handle: HandlePage): Promise<Progress> {
    const after = this.#cursor;
    // Read the head before the log: a page without `next` then proves that no event up to the head is missing.
    const [reader, head] = await Promise.all([this.#document(), this.#options.store.headCursor()]);
    // The document was removed. The owner of this reader will notice.
    if (!reader) return none;
    if (after === undefined || reader.record.cursor !== this.#savedCursor) {
      this.#cursor = reader.record.cursor;
      this.#savedCursor = reader.record.cursor;
      this.#hasNews = true;
      return { hasMore: true, isMoved: true };
    }
    const { orgId, store } = this.#options;
    const filter = this.#filter;
    const read = { ...filter, orgId, after, limit: pageSize };
    const { items: events, next }: Listing<LogEvent> =
      filter.types?.length === 0 ? { items: [] } : await store.readEvents(read);
    const hasMore = next !== undefined;
    const cursor = next ?? later(events.at(-1)?.cursor ?? after, head);
    const outcome = await handle(events, moved(reader, cursor));
    if (outcome === 'overtaken') {
      this.#hasNews = true;
      return { hasMore: true, isMoved: false };
    }
    this.#cursor = cursor;
    if (outcome === 'saved') this.#noteSaved(cursor);
    else if (performance.now() - this.#savedAt >= saveMs) await this.#save(reader);
    if (hasMore) this.#hasNews = true;
    return { hasMore, isMoved: false };
  }

  async #save(reader: Document<'reader'>): Promise<void> {
    const { orgId, store } = this.#options;
    const cursor = this.#cursor;
    if (cursor === undefined || cursor === this.#savedCursor) return;
    const { ok } = await store.commit({ orgId, documents: [moved(reader, cursor)] });
    if (ok) this.#noteSaved(cursor);
    else this.#hasNews = true;
  }

  #noteSaved(cursor: string): void {
    this.#savedCursor = cursor;
    this.#savedAt = performance.now();
  }

  #document(): Promise<Document<'reader'> | undefined> {
    const { orgId, id, store } = this.#options;
    return store.getDocument({ orgId, type: 'reader', id });
  }
}

const moved = ({ id, revision: expected }: Document<'reader'>, cursor: string): DocumentChange<'reader'> => ({
  type: 'reader',
  id,
  record: { cursor },
  expected,
});

export const later = (a: string, b: string): string => (a > b ? a : b);
