/** The live end of one org's log in one format: reads each new event once and hands it to every follower that wants it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EphemeralEvent, LogEvent, Message } from '@holdpoint/protocol';
import type { Store } from '../stores/store.ts';
import type { EventFormat, Following } from './following.ts';
import { wants, wantsEphemeral } from './wants.ts';

const pageSize = 200;
/** So many messages that have ended are remembered; a piece is told within moments, or not at all. */
const maxEnded = 1_000;
/** A burst is handed out in pieces of this size, so that a reader that keeps up has its chance to take them. */
const turnBytes = 65_536;

export interface Follower extends Following {
  cursor: string;
}

export interface ChannelOptions {
  orgId: string;
  format: EventFormat;
  cursor: string;
  store: Pick<Store, 'readEvents'>;
}

export class Channel {
  readonly orgId: string;
  readonly format: EventFormat;
  readonly followers = new Set<Follower>();
  readonly joining = new Set<Follower>();
  cursor: string;
  readonly #store: Pick<Store, 'readEvents'>;
  /** What was told and waits for events that were committed before it. */
  #told: EphemeralEvent[] = [];
  readonly #ended = new Set<unknown>();
  #isPumping = false;
  #hasMore = false;

  constructor({ orgId, format, cursor, store }: ChannelOptions) {
    this.orgId = orgId;
    this.format = format;
    this.cursor = cursor;
    this.#store = store;
  }

  pump(): void {
    this.#hasMore = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    // One read serves all that committed in this turn of the event loop.
    setImmediate(() => void this.#readAll());
  }

  /** Of all that was committed before the store has told: what of it is not handed out yet is being pumped. */
  tell(event: EphemeralEvent): void {
    this.#told.push(event);
    if (!this.#isPumping) this.#passOn(1);
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
        const told = this.#told.length;
        const read = { orgId: this.orgId, after: this.cursor, limit: pageSize };
        const { items, next } = await this.#store.readEvents(read);
        for (const event of items) {
          const sent = this.#broadcast(event);
          sentBytes += typeof sent === 'number' ? sent : await sent;
          if (sentBytes < turnBytes) continue;
          sentBytes = 0;
          await nextTurn();
        }
        if (next !== undefined) this.#hasMore = true;
        // They were told before this read began, so it had all that was committed before them.
        else this.#passOn(told);
      }
    } catch {
      // The store is away, or what the format needs. Followers resume from their cursors: ending the streams loses nothing.
      this.end();
    } finally {
      this.#isPumping = false;
      this.#passOn(this.#told.length);
    }
  }

  /** Says how much each follower that wants the event was sent. */
  #broadcast(event: LogEvent): number | Promise<number> {
    // Before it is rendered: whoever joins meanwhile has read it already.
    this.cursor = event.cursor;
    if (event.type === 'message.completed' || event.type === 'message.cancelled') this.#rememberEnd(event);
    if (!this.#isWanted(event)) return 0;
    const audience = this.format.audience?.(event, this.orgId);
    return audience instanceof Promise
      ? audience.then((names) => this.#write(event, names))
      : this.#write(event, audience);
  }

  #write(event: LogEvent, audience: readonly string[] | undefined): number | Promise<number> {
    if (audience && !this.#isWanted(event, audience)) return 0;
    const rendered = this.format.render(event, this.orgId);
    return rendered instanceof Promise
      ? rendered.then((frame) => this.#send(event, frame, audience))
      : this.#send(event, rendered, audience);
  }

  #rememberEnd({ data }: LogEvent): void {
    this.#ended.add((data.message as Message | undefined)?.id);
    const [oldest] = this.#ended;
    if (this.#ended.size > maxEnded) this.#ended.delete(oldest);
  }

  #isWanted(event: LogEvent, audience?: readonly string[]): boolean {
    for (const follower of this.followers) if (isNewFor(follower, event) && isFor(follower, audience)) return true;
    return false;
  }

  #send(event: LogEvent, frame: string | undefined, audience: readonly string[] | undefined): number {
    if (frame === undefined) return 0;
    for (const follower of this.followers) {
      if (!isNewFor(follower, event) || !isFor(follower, audience)) continue;
      follower.cursor = event.cursor;
      follower.sink.send(frame);
    }
    return frame.length;
  }

  /** The first of those that were told. */
  #passOn(count: number): void {
    for (const event of this.#told.splice(0, count)) {
      // Between nodes a piece may be overtaken by the end of its message, which tells all of it.
      if (event.type === 'message.delta' && this.#ended.has(event.data.messageId)) continue;
      let frame: string | undefined;
      for (const { sink, filter, ephemeral } of this.followers) {
        if (!ephemeral || !wantsEphemeral(filter, event)) continue;
        frame ??= this.format.renderEphemeral?.(event);
        if (frame === undefined) break;
        sink.send(frame);
      }
    }
  }
}

/** Where it is said whom an event is for, it is for nobody else. */
export const isFor = ({ person }: Pick<Following, 'person'>, audience: readonly string[] | undefined): boolean =>
  audience === undefined || (person !== undefined && audience.includes(person));

const isNewFor = ({ cursor, filter }: Follower, event: LogEvent): boolean =>
  event.cursor > cursor && wants(filter, event);
