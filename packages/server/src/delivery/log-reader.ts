/**
 * Reads the log of one org from where it was left, by a cursor that is kept as a document. Nothing that is wanted is
 * passed by: the cursor moves over what a page has shown, and only where nobody else has moved it meanwhile.
 */
import type { EventFilter, LogEvent } from '@holdpoint/protocol';
import type { Document, DocumentChange, EventHead, Listing, Store } from '../stores/store.ts';
import { wants } from './wants.ts';

export const pageSize = 200;
/** What is passed by is saved so often; a restart reads again what came since. */
const saveMs = 60_000;
/** After so many events that are not wanted it reads on all the same, so that the next that is wanted is not behind a million. */
const mostUnread = 5_000;

export interface LogReaderOptions {
  orgId: string;
  /** Of the document. */
  id: string;
  store: Pick<Store, 'getDocument' | 'readEvents' | 'headCursor' | 'commit'>;
  filter?: EventFilter;
}

/**
 * Saves what comes of a page, together with the moved cursor or before it; it is asked about an empty page too, because
 * the cursor moves over what the filter left out. `passed`: nothing comes of it, so that the cursor need not be saved now.
 * `overtaken`: the page is to be read again, because the commit was a conflict or the filter is another by now.
 */
export type Take = (
  events: readonly LogEvent[],
  moved: DocumentChange<'reader'>,
) => Promise<'saved' | 'passed' | 'overtaken'>;

export interface Progress {
  hasMore: boolean;
  /**
   * The cursor was not where it had been left: it is read for the first time, a caller has moved it, or another node that
   * thought it was its turn, or a commit that was reported as failed was done.
   */
  isMoved: boolean;
}

const none: Progress = { hasMore: false, isMoved: false };

export class LogReader {
  readonly #options: LogReaderOptions;
  #filter: EventFilter;
  /** Everything up to here was taken or passed by. */
  #cursor: string | undefined;
  #savedCursor: string | undefined;
  #savedAt = performance.now();
  /** There may be events after the cursor that are wanted. */
  #hasNews = true;
  /** Events that it was told of since the last read, none of them wanted. */
  #unread = 0;

  constructor(options: LogReaderOptions) {
    this.#options = options;
    this.#filter = options.filter ?? {};
  }

  /** What is wanted from now on; also a sign to look, because somebody may have moved the cursor. */
  setFilter(filter: EventFilter): void {
    this.#filter = filter;
    this.#hasNews = true;
  }

  /** Whether these events of its org are a reason to read on. */
  hears(heads: readonly EventHead[]): boolean {
    this.#unread += heads.length;
    const isNews = this.#unread >= mostUnread || heads.some((head) => wants(this.#filter, head));
    if (isNews) this.#hasNews = true;
    return isNews;
  }

  /** Takes one page, if there is a reason to look for one. */
  async read(take: Take): Promise<Progress> {
    if (!this.#hasNews) return none;
    this.#hasNews = false;
    this.#unread = 0;
    try {
      return await this.#readPage(take);
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  /** So that whoever comes next need not read what was passed by. */
  async stop(): Promise<void> {
    if (this.#cursor === this.#savedCursor) return;
    const reader = await this.#document();
    if (reader && reader.record.cursor === this.#savedCursor) await this.#save(reader);
  }

  async #readPage(take: Take): Promise<Progress> {
    const after = this.#cursor;
    // Read the head before the log: a page without `next` then proves that no event up to the head is missing.
    const [reader, head] = await Promise.all([this.#document(), this.#options.store.headCursor()]);
    // It was removed; whoever runs it will notice.
    if (!reader) return none;
    if (after === undefined || reader.record.cursor !== this.#savedCursor) {
      this.#cursor = reader.record.cursor;
      this.#savedCursor = reader.record.cursor;
      this.#hasNews = true;
      return { hasMore: true, isMoved: true };
    }
    const { items: events, next } = await this.#eventsAfter(after);
    const hasMore = next !== undefined;
    const cursor = next ?? later(events.at(-1)?.cursor ?? after, head);
    const taken = await take(events, moved(reader, cursor));
    if (taken === 'overtaken') {
      this.#hasNews = true;
      return { hasMore: true, isMoved: false };
    }
    this.#cursor = cursor;
    if (taken === 'saved') this.#noteSaved(cursor);
    else if (performance.now() - this.#savedAt >= saveMs) await this.#save(reader);
    if (hasMore) this.#hasNews = true;
    return { hasMore, isMoved: false };
  }

  async #eventsAfter(after: string): Promise<Listing<LogEvent>> {
    const { orgId, store } = this.#options;
    if (this.#filter.types?.length === 0) return { items: [] };
    return store.readEvents({ ...this.#filter, orgId, after, limit: pageSize });
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

const later = (a: string, b: string): string => (a > b ? a : b);
