/** The reader of the log for one webhook: turns the events it wants into deliveries, each once, and remembers how far it has come. */
import type { Delivery, EventFilter, LogEvent } from '@holdpoint/protocol';
import { newDelivery } from '../../domain/webhooks/new-delivery.ts';
import { readerOf } from '../../domain/webhooks/stored-webhook.ts';
import type { Clock } from '../../operations/context.ts';
import type { Document, EventHead, Store } from '../../stores/store.ts';
import { wants } from '../wants.ts';

export const pageSize = 200;
/** What it passes by is saved so often; a restart reads again what came since. */
const saveMs = 60_000;
/** After so many events that are not wanted it reads on all the same, so that the next that is wanted is not behind a million. */
const mostUnread = 5_000;

export interface IntakeOptions {
  store: Pick<Store, 'getDocument' | 'readEvents' | 'headCursor' | 'commit'>;
  clock: Clock;
  newId(): string;
}

export interface Taken {
  /** New deliveries, already saved, with their events. */
  fresh: { delivery: Delivery; event: LogEvent }[];
  hasMore: boolean;
  /**
   * The cursor was not where it had been left: it is read for the first time, a caller has moved it, or another node that
   * thought it had this webhook, or a commit that was reported as failed was done. There may be deliveries that this node
   * does not know.
   */
  isMoved: boolean;
}

const nothing: Taken = { fresh: [], hasMore: false, isMoved: false };

export class Intake {
  readonly #orgId: string;
  readonly #webhookId: string;
  readonly #options: IntakeOptions;
  #filter: EventFilter = {};
  /** Everything up to here was taken in or passed by. */
  #cursor: string | undefined;
  #savedCursor: string | undefined;
  #savedAt = performance.now();
  /** There may be events after the cursor that are wanted. */
  #hasNews = true;
  /** Events that it was told of since the last read, none of them wanted. */
  #unread = 0;

  constructor({ orgId, id }: { orgId: string; id: string }, options: IntakeOptions) {
    this.#orgId = orgId;
    this.#webhookId = id;
    this.#options = options;
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

  async take(): Promise<Taken> {
    if (!this.#hasNews) return nothing;
    this.#hasNews = false;
    this.#unread = 0;
    try {
      return await this.#read();
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  /** So that whoever comes next need not read what was passed by. */
  async stop(): Promise<void> {
    await this.#save();
  }

  async #read(): Promise<Taken> {
    const { store, clock, newId } = this.#options;
    const after = this.#cursor;
    // The head is asked for before the log is read: a short page then proves that nothing up to it is missing.
    const [reader, head] = await Promise.all([this.#reader(), store.headCursor()]);
    // The webhook was deleted; whoever runs it will notice.
    if (!reader) return nothing;
    if (after === undefined || reader.record.cursor !== this.#savedCursor) {
      this.#cursor = reader.record.cursor;
      this.#savedCursor = reader.record.cursor;
      this.#hasNews = true;
      return { fresh: [], hasMore: true, isMoved: true };
    }
    const events = await this.#eventsAfter(after);
    const isFull = events.length === pageSize;
    const last = events.at(-1)?.cursor ?? after;
    const cursor = isFull ? last : later(last, head);
    const now = clock.now();
    const fresh = events.map((event) => ({
      event,
      delivery: newDelivery(event, { id: newId(), webhookId: this.#webhookId, now }),
    }));
    const deliveries = fresh.map(({ delivery }) => delivery);
    if (events.length > 0 && !(await this.#commit(reader, cursor, deliveries))) {
      this.#hasNews = true;
      return { ...nothing, hasMore: true };
    }
    this.#cursor = cursor;
    if (performance.now() - this.#savedAt >= saveMs) await this.#save();
    if (isFull) this.#hasNews = true;
    return { fresh, hasMore: isFull, isMoved: false };
  }

  async #eventsAfter(after: string): Promise<LogEvent[]> {
    if (this.#filter.types?.length === 0) return [];
    return this.#options.store.readEvents({ ...this.#filter, orgId: this.#orgId, after, limit: pageSize });
  }

  async #save(): Promise<void> {
    const cursor = this.#cursor;
    this.#savedAt = performance.now();
    if (cursor === undefined || cursor === this.#savedCursor) return;
    const reader = await this.#reader();
    if (!reader) return;
    if (reader.record.cursor === this.#savedCursor) await this.#commit(reader, cursor, []);
    else this.#hasNews = true;
  }

  async #commit(reader: Document<'reader'>, cursor: string, newDeliveries: Delivery[]): Promise<boolean> {
    const { id, revision: expected } = reader;
    const documents = [{ type: 'reader', id, record: { cursor }, expected } as const];
    const { ok } = await this.#options.store.commit({ orgId: this.#orgId, documents, newDeliveries });
    if (!ok) return false;
    this.#savedCursor = cursor;
    this.#savedAt = performance.now();
    return true;
  }

  #reader(): Promise<Document<'reader'> | undefined> {
    return this.#options.store.getDocument({ orgId: this.#orgId, type: 'reader', id: readerOf(this.#webhookId) });
  }
}

const later = (a: string, b: string): string => (a > b ? a : b);
