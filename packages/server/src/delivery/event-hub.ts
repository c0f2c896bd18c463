/** The followers of the log. Each first catches up from its cursor by reading pages, then is handed new events as they commit. */
import type { LogEvent } from '@holdpoint/protocol';
import type { Store } from '../stores/store.ts';
import { Channel, type EventFormat, endedMessage, type Follower, type Following, isFor } from './event-channel.ts';
import { later } from './log-reader.ts';
import { Turns } from './turns.ts';

const pageSize = 200;
/** A stream that catches up sends at most this much in one turn of the event loop: one or two milliseconds of work. */
const sliceEvents = 100;
const sliceBytes = 65_536;

type LogStore = Pick<Store, 'readEvents' | 'headCursor' | 'onCommitted' | 'onPublished'>;

export class EventHub {
  readonly #store: LogStore;
  readonly #format: EventFormat;
  /** By org and format, so that a slow format delays no other. */
  readonly #channels = new Map<string, Map<EventFormat, Channel>>();
  readonly #unsubscribe: (() => void)[];
  readonly #turns = new Turns();
  #isClosed = false;

  constructor(store: LogStore, format: EventFormat) {
    this.#store = store;
    this.#format = format;
    this.#unsubscribe = [
      store.onCommitted((heads) => {
        for (const { orgId } of heads) for (const channel of this.#channelsOf(orgId)) channel.pump();
      }),
      store.onPublished(({ orgId, ...event }) => {
        if (event.type === 'mcp.form-reply') return;
        for (const channel of this.#channelsOf(orgId)) channel.publish(event);
      }),
    ];
  }

  /** Sends everything after the cursor, then everything new, until stopped. Rejects if the log or the sink fails. */
  async follow(following: Following, signal: AbortSignal): Promise<void> {
    // The follower joins before anything is awaited, so that it gets every ephemeral event from now on.
    const channel = this.#channel(following.orgId, following.format ?? this.#format);
    const follower: Follower = { ...following, cursor: following.after, held: [] };
    channel.joining.add(follower);
    const leave = () => {
      channel.followers.delete(follower);
      this.#dropIfEmpty(channel);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await channel.open();
      if (!(await this.#catchUp(channel, follower, signal))) follower.sink.end();
    } finally {
      channel.joining.delete(follower);
      this.#dropIfEmpty(channel);
    }
  }

  /** Number of followers, with those that are still catching up. */
  size(): number {
    return this.#all().reduce((sum, { followers, joining }) => sum + followers.size + joining.size, 0);
  }

  /** Ends every stream; their readers resume from their last event, here or elsewhere. */
  close(): void {
    this.#isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const channel of this.#all()) channel.end();
  }

  /** Reads pages until the follower has caught up with its channel, and joins it there. Returns false if it must stop before. */
  async #catchUp(channel: Channel, follower: Follower, signal: AbortSignal): Promise<boolean> {
    const { orgId, filter } = follower;
    while (!signal.aborted && !this.#isClosed) {
      // Read the head before the page: a page without `next` then proves that no event up to this head is missing.
      const head = await this.#store.headCursor();
      const read = { ...filter, orgId, after: follower.cursor, limit: pageSize };
      const { items, next } = await this.#store.readEvents(read);
      if (!(await this.#sendPage(channel, follower, items, signal))) return false;
      if (next !== undefined) {
        follower.cursor = next;
        continue;
      }
      follower.cursor = later(follower.cursor, head);
      if (signal.aborted || this.#isClosed) return false;
      if (channel.admit(follower)) return true;
    }
    return false;
  }

  /** Sends the events of a page in slices. Returns false if it must stop before the end of the page. */
  async #sendPage(
    { format }: Channel,
    follower: Follower,
    page: readonly LogEvent[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { orgId, sink } = follower;
    let events = sliceEvents;
    let bytes = sliceBytes;
    for (const event of page) {
      if (events >= sliceEvents || bytes >= sliceBytes) {
        await this.#turns.next(orgId);
        [events, bytes] = [0, 0];
      }
      const audience = await format.audience?.(event, orgId);
      const frame = isFor(follower, audience) ? await format.render(event, orgId) : undefined;
      if (signal.aborted || this.#isClosed) return false;
      if (frame !== undefined) sink.send(frame);
      events++;
      bytes += frame?.length ?? 0;
      follower.cursor = event.cursor;
      const ended = endedMessage(event);
      if (ended !== undefined)
        follower.held = follower.held.filter((each) => each.type !== 'message.delta' || each.data.messageId !== ended);
      await sink.drained();
    }
    return true;
  }

  #channelsOf(orgId: string): Iterable<Channel> {
    return this.#channels.get(orgId)?.values() ?? [];
  }

  #all(): Channel[] {
    return [...this.#channels.values()].flatMap((ofOrg) => [...ofOrg.values()]);
  }

  #channel(orgId: string, format: EventFormat): Channel {
    const ofOrg = this.#channels.get(orgId) ?? new Map<EventFormat, Channel>();
    const channel = ofOrg.get(format) ?? new Channel({ orgId, format, store: this.#store });
    this.#channels.set(orgId, ofOrg.set(format, channel));
    return channel;
  }

  /** A follower that leaves late must not drop the next channel of the same org and format. */
  #dropIfEmpty(channel: Channel): void {
    const { orgId, format, followers, joining } = channel;
    if (followers.size > 0 || joining.size > 0) return;
    const ofOrg = this.#channels.get(orgId);
    if (ofOrg?.get(format) !== channel) return;
    ofOrg.delete(format);
    if (ofOrg.size === 0) this.#channels.delete(orgId);
  }
}
