/** The live end of one org's log in one format: reads each new event once and hands it to every follower that wants it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EphemeralEvent, EventFilter, LogEvent, Message } from '@holdpoint/protocol';
import { CoalescedRunner } from '../coalesced-runner.ts';
import type { EventHead, Store } from '../stores/store.ts';

const pageSize = 200;
/** Number of ended messages that are remembered. A piece arrives within moments of the end of its message, or not at all. */
const maxEnded = 1_000;
/** Most ephemeral events that a follower holds while it catches up. A piece names its offset, so its reader sees a gap. */
const maxHeld = 1_000;
/** A burst is handed out in pieces of this size, so that a reader that keeps up can take them in between. */
const turnBytes = 65_536;

/** Receives the events of a follower. */
export interface Sink {
  send(frame: string): void;
  /** Resolves when earlier frames have gone out. Rejects if the reader is too slow or gone. */
  drained(): Promise<void>;
  end(): void;
}

/** Renders events. Each is rendered once for all followers with the same format, that is, the same object. */
export interface EventFormat {
  /** Returns undefined if the format has no such event. Then no follower gets it. */
  render(event: LogEvent, orgId: string): string | undefined | Promise<string | undefined>;
  /** Returns the assignees who may see an event. Without this method all followers may. */
  audience?(event: LogEvent, orgId: string): readonly string[] | Promise<readonly string[]>;
  /** Without this method no ephemeral event is sent. */
  renderEphemeral?(event: EphemeralEvent): string | undefined;
}

export interface Following {
  orgId: string;
  filter: EventFilter;
  /** The cursor after which to begin. */
  after: string;
  sink: Sink;
  /** The format of the hub, if left out. */
  format?: EventFormat;
  /** The assignees that include the follower, for a format with an audience. */
  assignees?: readonly string[];
  /** Whether it is also sent ephemeral events. */
  ephemeral?: boolean;
}

export interface Follower extends Following {
  cursor: string;
  /** Ephemeral events that arrived while it was catching up. It gets them when it has every event committed before them. */
  held: EphemeralEvent[];
}

type ChannelStore = Pick<Store, 'readEvents' | 'headCursor'>;

export class Channel {
  readonly orgId: string;
  readonly format: EventFormat;
  readonly followers = new Set<Follower>();
  readonly joining = new Set<Follower>();
  readonly #store: ChannelStore;
  readonly #reading: CoalescedRunner;
  #cursor = '';
  /** Ephemeral events that wait until the events committed before them are handed out. */
  #ephemeral: EphemeralEvent[] = [];
  readonly #ended = new Set<unknown>();
  #opening: Promise<void> | undefined;
  #isOpen = false;

  constructor({ orgId, format, store }: Pick<Channel, 'orgId' | 'format'> & { store: ChannelStore }) {
    this.orgId = orgId;
    this.format = format;
    this.#store = store;
    // If the store or the format fails, the streams end. Their readers resume from their cursors, so nothing is lost.
    const run = () => this.#readPage().catch(() => this.end());
    this.#reading = new CoalescedRunner({ run, onError: () => {} });
  }

  /** Begins at the end of the log. Resolves once the channel knows where that is; later events are handed out afterwards. */
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

  /** Called when events were committed. */
  pump(): void {
    this.#reading.trigger();
  }

  /** The store has announced all events that were committed before this one, so the channel has read them if it is idle. */
  publish(event: EphemeralEvent): void {
    this.#ephemeral.push(event);
    if (this.#isOpen && this.#reading.isIdle) this.#passOn(1);
  }

  end(): undefined {
    for (const { sink } of [...this.followers, ...this.joining]) sink.end();
    this.followers.clear();
    this.#ephemeral = [];
  }

  async #open(): Promise<void> {
    this.#cursor = await this.#store.headCursor();
    this.#isOpen = true;
    if (this.#reading.isIdle) this.#passOn(this.#ephemeral.length);
  }

  async #readPage(): Promise<number | undefined> {
    await this.open();
    const published = this.#ephemeral.length;
    const read = { orgId: this.orgId, after: this.#cursor, limit: pageSize };
    const { items, next } = await this.#store.readEvents(read);
    let sentBytes = 0;
    for (const event of items) {
      const sent = this.#broadcast(event);
      sentBytes += typeof sent === 'number' ? sent : await sent;
      if (sentBytes < turnBytes) continue;
      sentBytes = 0;
      await nextTurn();
    }
    if (next !== undefined) return 0;
    // This page had all events that were committed before these: they were published before the read or, without a new
    // trigger, no commit came in between.
    this.#passOn(this.#reading.isTriggered ? published : this.#ephemeral.length);
    return undefined;
  }

  /** Returns how much each follower that wants the event was sent. */
  #broadcast(event: LogEvent): number | Promise<number> {
    // Set before the event is rendered: a follower that joins meanwhile has read it already.
    this.#cursor = event.cursor;
    const ended = endedMessage(event);
    if (ended !== undefined) {
      this.#ended.add(ended);
      const [oldest] = this.#ended;
      if (this.#ended.size > maxEnded) this.#ended.delete(oldest);
    }
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

  /** Hands out the first ephemeral events. */
  #passOn(count: number): void {
    for (const event of this.#ephemeral.splice(0, count)) {
      if (this.#isEnded(event)) continue;
      for (const follower of this.joining) {
        if (wantsNow(follower, event) && follower.held.length < maxHeld) follower.held.push(event);
      }
      let frame: string | undefined;
      for (const follower of this.followers) {
        if (!wantsNow(follower, event)) continue;
        frame ??= this.format.renderEphemeral?.(event);
        if (frame === undefined) break;
        follower.sink.send(frame);
      }
    }
  }

  /** Between nodes the end of a message, which holds its whole text, may overtake a piece. */
  #isEnded({ type, data }: EphemeralEvent): boolean {
    return type === 'message.delta' && this.#ended.has(data.messageId);
  }
}

/** The id of the message that an event ends, if it ends one. */
export const endedMessage = ({ type, data }: LogEvent): string | undefined =>
  type === 'message.completed' || type === 'message.cancelled' ? (data.message as Message | undefined)?.id : undefined;

const wantsNow = ({ ephemeral, filter }: Following, event: EphemeralEvent): boolean =>
  ephemeral === true && wantsEphemeral(filter, event);

/** An event with an audience is only for these assignees. */
export const isFor = (
  { assignees = [] }: Pick<Following, 'assignees'>,
  audience: readonly string[] | undefined,
): boolean => audience === undefined || assignees.some((assignee) => audience.includes(assignee));

const isNewFor = ({ cursor, filter }: Follower, event: LogEvent): boolean =>
  event.cursor > cursor && wants(filter, event);

/** Reports whether a filter lets an event through. */
export function wants(
  { threadId, interactionId, types }: EventFilter,
  event: Pick<EventHead, 'threadId' | 'interactionId' | 'type'>,
): boolean {
  if (threadId !== undefined && event.threadId !== threadId) return false;
  if (interactionId !== undefined && event.interactionId !== interactionId) return false;
  return types === undefined || types.includes(event.type);
}

/** Most ephemeral events belong to a thread and to no interaction. Types in a filter name events of the log only. */
function wantsEphemeral({ threadId, interactionId }: EventFilter, event: EphemeralEvent): boolean {
  const about = event.type === 'interaction.viewing' ? event.data.interactionId : undefined;
  return (interactionId ?? about) === about && (threadId === undefined || threadId === event.threadId);
}
