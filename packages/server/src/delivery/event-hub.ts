/** Followers of the log. Each first catches up from its cursor by reading pages, then is handed new events as they commit. */
import type { EventFilter, LogEvent } from '@holdpoint/protocol';
import type { Store } from '../stores/store.ts';

const pageSize = 200;

/** Where a follower's events go. */
export interface Sink {
  send(frame: string): void;
  /** Resolves when earlier frames have gone out. Rejects where the reader is too slow or gone. */
  drained(): Promise<void>;
  end(): void;
}

export interface Following {
  orgId: string;
  filter: EventFilter;
  after: string;
  sink: Sink;
}

type LogStore = Pick<Store, 'readEvents' | 'headCursor' | 'onCommitted'>;

export class EventHub {
  readonly #store: LogStore;
  readonly #render: (event: LogEvent) => string;
  readonly #channels = new Map<string, Channel>();

  constructor(store: LogStore, render: (event: LogEvent) => string) {
    this.#store = store;
    this.#render = render;
    store.onCommitted((heads) => {
      for (const { orgId } of heads) this.#channels.get(orgId)?.pump();
    });
  }

  /** Sends everything after the cursor, then everything new, until stopped. */
  async follow(following: Following, signal: AbortSignal): Promise<void> {
    const { orgId, sink } = following;
    const channel = await this.#channel(orgId);
    const follower: Follower = { ...following, cursor: following.after };
    signal.addEventListener('abort', () => this.#leave(channel, follower), { once: true });
    channel.joining++;
    try {
      while (!signal.aborted) {
        // Read before the page: an empty page then proves that nothing up to this head is missing.
        const head = await this.#store.headCursor();
        const page = await this.#store.readEvents({
          ...following.filter,
          orgId,
          after: follower.cursor,
          limit: pageSize,
        });
        for (const event of page) sink.send(this.#render(event));
        follower.cursor = later(page.at(-1)?.cursor ?? follower.cursor, page.length < pageSize ? head : '');
        await sink.drained();
        if (page.length < pageSize && follower.cursor >= channel.cursor) {
          if (!signal.aborted) channel.followers.add(follower);
          return;
        }
      }
    } finally {
      channel.joining--;
    }
  }

  size(): number {
    return [...this.#channels.values()].reduce((sum, { followers }) => sum + followers.size, 0);
  }

  /** Ends every stream; their readers resume from their last event, here or elsewhere. */
  close(): void {
    for (const { followers } of this.#channels.values()) for (const { sink } of followers) sink.end();
  }

  async #channel(orgId: string): Promise<Channel> {
    const head = await this.#store.headCursor();
    const existing = this.#channels.get(orgId);
    if (existing) return existing;
    const channel = new Channel(orgId, head, this.#store, this.#render);
    this.#channels.set(orgId, channel);
    return channel;
  }

  #leave(channel: Channel, follower: Follower): void {
    channel.followers.delete(follower);
    if (channel.followers.size === 0 && channel.joining === 0) this.#channels.delete(channel.orgId);
  }
}

interface Follower extends Following {
  cursor: string;
}

/** The live end of one org's log: reads each new event once and hands it to every follower that wants it. */
class Channel {
  readonly orgId: string;
  readonly followers = new Set<Follower>();
  joining = 0;
  cursor: string;
  readonly #store: Pick<Store, 'readEvents'>;
  readonly #render: (event: LogEvent) => string;
  #isPumping = false;
  #hasMore = false;

  constructor(orgId: string, cursor: string, store: Pick<Store, 'readEvents'>, render: (event: LogEvent) => string) {
    this.orgId = orgId;
    this.cursor = cursor;
    this.#store = store;
    this.#render = render;
  }

  pump(): void {
    this.#hasMore = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    // One read serves all that committed in this turn of the event loop.
    setImmediate(() => void this.#readAll());
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#hasMore) {
        this.#hasMore = false;
        const page = await this.#store.readEvents({ orgId: this.orgId, after: this.cursor, limit: pageSize });
        if (page.length === pageSize) this.#hasMore = true;
        for (const event of page) this.#broadcast(event);
      }
    } catch {
      // The store is away. Followers resume from their cursors, so ending the streams loses nothing.
      for (const { sink } of this.followers) sink.end();
    } finally {
      this.#isPumping = false;
    }
  }

  #broadcast(event: LogEvent): void {
    this.cursor = event.cursor;
    let frame: string | undefined;
    for (const follower of this.followers) {
      if (event.cursor <= follower.cursor || !wants(follower.filter, event)) continue;
      follower.cursor = event.cursor;
      frame ??= this.#render(event);
      follower.sink.send(frame);
    }
  }
}

function wants({ threadId, interactionId, types }: EventFilter, event: LogEvent): boolean {
  if (threadId !== undefined && event.threadId !== threadId) return false;
  if (interactionId !== undefined && event.interactionId !== interactionId) return false;
  return types === undefined || types.includes(event.type);
}

const later = (a: string, b: string): string => (a > b ? a : b);
