/** Followers of the log. Each first catches up from its cursor by reading pages, then is handed new events as they commit. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventFilter, LogEvent } from '@holdpoint/protocol';
import type { Store } from '../stores/store.ts';
import { wants } from './wants.ts';

const pageSize = 200;
/** A burst is handed out in pieces of this size, so that a reader that keeps up has its chance to take them. */
const turnBytes = 65_536;

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
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(store: LogStore, render: (event: LogEvent) => string) {
    this.#store = store;
    this.#render = render;
    this.#unsubscribe = store.onCommitted((heads) => {
      for (const { orgId } of heads) this.#channels.get(orgId)?.pump();
    });
  }

  /** Sends everything after the cursor, then everything new, until stopped. Rejects where the log or the sink fails. */
  async follow(following: Following, signal: AbortSignal): Promise<void> {
    const head = await this.#store.headCursor();
    // From the look for the channel to the joining nothing waits: a channel without followers is dropped.
    const channel = this.#channel(following.orgId, head);
    const follower: Follower = { ...following, cursor: following.after };
    channel.joining.add(follower);
    signal.addEventListener('abort', () => this.#leave(channel, follower), { once: true });
    try {
      if (!(await this.#catchUp(channel, follower, signal))) follower.sink.end();
    } finally {
      channel.joining.delete(follower);
      this.#dropIfEmpty(channel);
    }
  }

  /** How many follow now; who is still catching up counts. */
  size(): number {
    return [...this.#channels.values()].reduce((sum, { followers, joining }) => sum + followers.size + joining.size, 0);
  }

  /** Ends every stream; their readers resume from their last event, here or elsewhere. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const channel of this.#channels.values()) channel.end();
  }

  /** Reads pages until the follower is where its channel is, and joins it there; false where it is to stop before. */
  async #catchUp(channel: Channel, follower: Follower, signal: AbortSignal): Promise<boolean> {
    const { orgId, filter, sink } = follower;
    while (!signal.aborted && !this.#isClosed) {
      // Read before the page: a short page then proves that nothing up to this head is missing.
      const head = await this.#store.headCursor();
      const page = await this.#store.readEvents({ ...filter, orgId, after: follower.cursor, limit: pageSize });
      for (const event of page) {
        if (signal.aborted || this.#isClosed) return false;
        sink.send(this.#render(event));
        follower.cursor = event.cursor;
        await sink.drained();
      }
      if (page.length === pageSize) continue;
      follower.cursor = later(follower.cursor, head);
      if (follower.cursor < channel.cursor) continue;
      if (signal.aborted || this.#isClosed) return false;
      // In the same turn as the comparison: what is broadcast in between would be missed.
      channel.followers.add(follower);
      return true;
    }
    return false;
  }

  #channel(orgId: string, head: string): Channel {
    const existing = this.#channels.get(orgId);
    if (existing) return existing;
    const channel = new Channel(orgId, head, this.#store, this.#render);
    this.#channels.set(orgId, channel);
    return channel;
  }

  #leave(channel: Channel, follower: Follower): void {
    channel.followers.delete(follower);
    this.#dropIfEmpty(channel);
  }

  /** Only where it is still the one: who leaves a channel late must not drop the next one of the org. */
  #dropIfEmpty(channel: Channel): void {
    const { orgId, followers, joining } = channel;
    if (followers.size > 0 || joining.size > 0) return;
    if (this.#channels.get(orgId) === channel) this.#channels.delete(orgId);
  }
}

interface Follower extends Following {
  cursor: string;
}

/** The live end of one org's log: reads each new event once and hands it to every follower that wants it. */
class Channel {
  readonly orgId: string;
  readonly followers = new Set<Follower>();
  readonly joining = new Set<Follower>();
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

  end(): void {
    for (const { sink } of [...this.followers, ...this.joining]) sink.end();
    this.followers.clear();
  }

  async #readAll(): Promise<void> {
    let sentBytes = 0;
    try {
      while (this.#hasMore) {
        this.#hasMore = false;
        const page = await this.#store.readEvents({ orgId: this.orgId, after: this.cursor, limit: pageSize });
        if (page.length === pageSize) this.#hasMore = true;
        for (const event of page) {
          sentBytes += this.#broadcast(event);
          if (sentBytes < turnBytes) continue;
          sentBytes = 0;
          await nextTurn();
        }
      }
    } catch {
      // The store is away. Followers resume from their cursors, so ending the streams loses nothing.
      this.end();
    } finally {
      this.#isPumping = false;
    }
  }

  /** Says how much each follower that wants the event was sent. */
  #broadcast(event: LogEvent): number {
    this.cursor = event.cursor;
    let frame: string | undefined;
    for (const follower of this.followers) {
      if (event.cursor <= follower.cursor || !wants(follower.filter, event)) continue;
      follower.cursor = event.cursor;
      frame ??= this.#render(event);
      follower.sink.send(frame);
    }
    return frame?.length ?? 0;
  }
}

const later = (a: string, b: string): string => (a > b ? a : b);
