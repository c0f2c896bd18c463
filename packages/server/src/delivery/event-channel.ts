/** The live end of one org's log in one format: reads each new event once and hands it to every follower that wants it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EphemeralEvent, LogEvent, Message } from '@holdpoint/protocol';
import type { Store } from '../stores/store.ts';
import type { EventFormat, Following } from './following.ts';
import { wants, wantsEphemeral } from './wants.ts';

const pageSize = 200;
/** So many messages that have ended are remembered; a piece is told within moments, or not at all. */
const maxEnded = 1_000;
/** A follower that is still catching up holds at most this many ephemeral events. A piece names its offset, so its reader sees a gap. */
const maxHeld = 1_000;
/** A burst is handed out in pieces of this size, so that a reader that keeps up has its chance to take them. */
const turnBytes = 65_536;

export interface Follower extends Following {
  cursor: string;
  /** Ephemeral events that arrived while it was catching up. It gets them when it has every event committed before them. */
  held: EphemeralEvent[];
}

export interface ChannelOptions {
  orgId: string;
  format: EventFormat;
  store: Pick<Store, 'readEvents' | 'headCursor'>;
}

export class Channel {
  readonly orgId: string;
  readonly format: EventFormat;
  readonly followers = new Set<Follower>();
  readonly joining = new Set<Follower>();
  readonly #store: Pick<Store, 'readEvents' | 'headCursor'>;
  #cursor = '';
  /** What was told and waits for events that were committed before it. */
  #told: EphemeralEvent[] = [];
  readonly #ended = new Set<unknown>();
  #isPumping = false;
  #hasMore = false;
  #opening: Promise<void> | undefined;

  constructor({ orgId, format, store }: ChannelOptions) {
    this.orgId = orgId;
    this.format = format;
    this.#store = store;
  }

  /** Begins at the end of the log. Resolves once the channel knows where that is; what arrives meanwhile is handed out afterwards. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Hands a follower what it held, and everything from now on. Returns false if the follower has to read more of the log first. */
  admit(follower: Follower): boolean {
    if (follower.cursor < this.#cursor) return false;
    this.joining.delete(follower);
    this.followers.add(follower);
    for (const event of follower.held.splice(0)) {
      const frame = this.#isEnded(event) ? undefined : this.format.renderEphemeral?.(event);
      if (frame !== undefined) follower.sink.send(frame);
    }
    return true;
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

  async #open(): Promise<void> {
    this.#isPumping = true;
    try {
      this.#cursor = await this.#store.headCursor();
    } finally {
      this.#isPumping = false;
    }
    if (this.#hasMore) this.pump();
    else this.#passOn(this.#told.length);
  }

  async #readAll(): Promise<void> {
    let sentBytes = 0;
    try {
      while (this.#hasMore) {
        this.#hasMore = false;
        const told = this.#told.length;
        const read = { orgId: this.orgId, after: this.#cursor, limit: pageSize };
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
    this.#cursor = event.cursor;
    if (endedMessage(event) !== undefined) this.#rememberEnd(event);
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

  #rememberEnd(event: LogEvent): void {
    this.#ended.add(endedMessage(event));
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
      if (this.#isEnded(event)) continue;
      for (const follower of this.joining) {
        if (hearsOf(follower, event) && follower.held.length < maxHeld) follower.held.push(event);
      }
      let frame: string | undefined;
      for (const follower of this.followers) {
        if (!hearsOf(follower, event)) continue;
        frame ??= this.format.renderEphemeral?.(event);
        if (frame === undefined) break;
        follower.sink.send(frame);
      }
    }
  }

  /** Between nodes a piece may be overtaken by the end of its message, which tells all of it. */
  #isEnded({ type, data }: EphemeralEvent): boolean {
    return type === 'message.delta' && this.#ended.has(data.messageId);
  }
}

/** The id of the message that an event ends, if it ends one. */
export const endedMessage = ({ type, data }: LogEvent): string | undefined =>
  type === 'message.completed' || type === 'message.cancelled' ? (data.message as Message | undefined)?.id : undefined;

const hearsOf = ({ ephemeral, filter }: Following, event: EphemeralEvent): boolean =>
  ephemeral === true && wantsEphemeral(filter, event);

/** Where it is said whom an event is for, it is for nobody else. */
export const isFor = ({ person }: Pick<Following, 'person'>, audience: readonly string[] | undefined): boolean =>
  audience === undefined || (person !== undefined && audience.includes(person));

const isNewFor = ({ cursor, filter }: Follower, event: LogEvent): boolean =>
  event.cursor > cursor && wants(filter, event);
