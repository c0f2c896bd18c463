/** The messages and pending questions of a thread, kept up to date. */
import type { EphemeralEvent, Interaction, LogEvent, Message } from '@holdpoint/protocol';
import type { Api, ApiError } from './api.ts';
import { followEvents } from './follow-events.ts';

export interface Feed {
  isLoaded: boolean;
  isOnline: boolean;
  fault?: ApiError;
  /** The most urgent first, then the oldest. */
  pending: readonly Interaction[];
  messages: readonly Message[];
}

interface FeedOptions extends FeedListener {
  api: Api;
  signal: AbortSignal;
  threadId: string;
  withMessages: boolean;
}

export interface FeedListener {
  onChange(feed: Feed): void;
  /** A question arrived after the feed started. */
  onAsked?(interaction: Interaction): void;
  /** A question was closed, here or elsewhere. */
  onClosed?(interactionId: string): void;
}

export class ThreadFeed {
  readonly #options: FeedOptions;
  readonly #pending = new Map<string, Interaction>();
  readonly #messages = new Map<string, Message>();
  #state: Omit<Feed, 'pending' | 'messages'> = { isLoaded: false, isOnline: true };

  constructor(options: FeedOptions) {
    this.#options = options;
    const { api, threadId, withMessages, signal } = options;
    void followEvents({
      open: (lastEventId) => api.openEvents({ threadId, ephemeral: `${withMessages}` }, { lastEventId, signal }),
      // The stream opens before the first read. Changes in between arrive twice, which changes nothing.
      onOpen: async (isFirst) => {
        if (isFirst) await this.#load();
        // Pieces of a streamed message are not stored, so a message that is being written is read again.
        else if ([...this.#messages.values()].some(isStreaming)) await this.#loadMessages();
        this.#publish({ isOnline: true, isLoaded: true });
      },
      onEvent: (event) => void this.#take(event),
      onLost: () => this.#publish({ isOnline: false }),
      onRefused: (fault) => this.#publish({ isOnline: false, fault }),
      signal,
    });
  }

  /** Takes the state that the server has just returned. */
  put(interaction: Interaction): void {
    const { id, status, version } = interaction;
    const before = this.#pending.get(id);
    if (before && before.version > version) return;
    if (status === 'pending') {
      this.#pending.set(id, interaction);
      this.#publish();
    } else this.#remove(id);
  }

  putMessage(message: Message): void {
    this.#messages.set(message.id, message);
    this.#publish();
  }

  async #load(): Promise<void> {
    const { api, threadId, withMessages, signal } = this.#options;
    const [pending] = await Promise.all([
      api.listPending(threadId, signal),
      withMessages ? this.#loadMessages() : undefined,
    ]);
    for (const interaction of pending) this.#pending.set(interaction.id, interaction);
  }

  async #loadMessages(): Promise<void> {
    const { api, threadId, signal } = this.#options;
    for (const message of await api.listMessages(threadId, signal)) {
      const before = this.#messages.get(message.id);
      // A message that has ended in the meantime stays as it is.
      if (!before || isStreaming(before) || !isStreaming(message)) this.#messages.set(message.id, message);
    }
  }

  async #take(event: LogEvent | EphemeralEvent): Promise<void> {
    const { type } = event;
    if (type.startsWith('message.')) return this.#takeMessage(event);
    // Ephemeral events have none.
    const { interactionId: id } = event as LogEvent;
    if (!id) return;
    if (/answered|declined|cancelled|expired/.test(type)) return this.#remove(id);
    const { api, signal } = this.#options;
    const interaction = await api.getInteraction(id, signal).catch(() => undefined);
    if (interaction?.status !== 'pending') return;
    this.put(interaction);
    if (type === 'interaction.created') this.#options.onAsked?.(interaction);
  }

  #takeMessage({ type, data }: LogEvent | EphemeralEvent): void {
    if (!this.#options.withMessages) return;
    if (type === 'message.delta') {
      const { messageId, ...piece } = data;
      const before = this.#messages.get(messageId);
      if (before) this.#messages.set(messageId, { ...before, blocks: extended(before.blocks, piece) });
    } else {
      const message = 'message' in data ? data.message : undefined;
      if (message) this.#messages.set(message.id, message);
    }
    this.#publish();
  }

  #remove(id: string): void {
    if (!this.#pending.delete(id)) return;
    this.#options.onClosed?.(id);
    this.#publish();
  }

  #publish(change: Partial<Feed> = {}): void {
    Object.assign(this.#state, change);
    const pending = [...this.#pending.values()].sort(byUrgency);
    const messages = [...this.#messages.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#options.onChange({ ...this.#state, pending, messages });
  }
}

const isStreaming = ({ state }: Message): boolean => state === 'streaming';

/** Adds only the part of a piece that the message does not have yet. */
function extended([first, ...rest]: Message['blocks'], piece: { text: string; offset: number }): Message['blocks'] {
  const before = String(first?.payload.text ?? '');
  const text = before + piece.text.slice(Math.max(0, before.length - piece.offset));
  return [{ type: 'message', ...first, payload: { format: 'plain', ...first?.payload, text } }, ...rest];
}

/** The earliest deadline first; questions without one last, the oldest first. */
export const byUrgency = (a: Interaction, b: Interaction): number =>
  (a.deadline?.at ?? '9').localeCompare(b.deadline?.at ?? '9') || a.id.localeCompare(b.id);
