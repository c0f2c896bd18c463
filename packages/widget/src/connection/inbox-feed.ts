/** The pending questions of a person in all threads, kept up to date. */
import type { EphemeralEvent, Interaction, LogEvent } from '@holdpoint/protocol';
import type { Api } from './api.ts';
import { followEvents } from './follow-events.ts';
import { byUrgency } from './thread-feed.ts';

export interface Inbox {
  /** The most urgent first; undefined until loaded. */
  pending: readonly Interaction[] | undefined;
  isOnline: boolean;
  isRefused: boolean;
}

export interface InboxOptions {
  api(): Api;
  signal: AbortSignal;
  onChange(inbox: Inbox): void;
  /** A question arrived after the feed started. */
  onAsked(interaction: Interaction): void;
}

/** Changes within this time are shown together. */
const gatherMs = 16;
/** From this many on, one list costs less than a call for each question. */
const manyStale = 20;

export class InboxFeed {
  readonly #options: InboxOptions;
  readonly #pending = new Map<string, Interaction>();
  readonly #closed = new Set<string>();
  readonly #stale = new Set<string>();
  #isKnown = false;
  readonly #state = { isOnline: true, isRefused: false };
  #isDue = false;
  #isReading = false;

  constructor(options: InboxOptions) {
    this.#options = options;
    const { api, signal } = options;
    void followEvents({
      open: () => api().openEvents({ types: followedTypes.join(',') }, { lastEventId: undefined, signal }),
      // An inbox stream cannot be resumed. It opens before the list is read, so that nothing is missed in between.
      onOpen: async () => {
        await this.#list();
        this.#publish({ isOnline: true });
      },
      onEvent: (event) => this.#take(event),
      onLost: () => this.#publish({ isOnline: false }),
      onRefused: () => this.#publish({ isRefused: true }),
      signal,
    });
  }

  /** Takes the state that the server has just returned. */
  put(interaction: Interaction): void {
    const { id, status, version } = interaction;
    const before = this.#pending.get(id);
    if (this.#closed.has(id) || (before && before.version > version)) return;
    if (status === 'pending') this.#pending.set(id, interaction);
    else this.#close(id);
    if (status === 'pending' && !before) this.#options.onAsked(interaction);
    this.#publish();
  }

  #take(event: LogEvent | EphemeralEvent): void {
    const id = 'interactionId' in event ? event.interactionId : undefined;
    if (id === undefined) return;
    if (event.type === 'interaction.created') this.put(event.data.interaction);
    else if (/answered|declined|cancelled|expired/.test(event.type)) this.#close(id);
    else {
      this.#stale.add(id);
      void this.#readStale();
    }
  }

  #close(id: string): void {
    this.#closed.add(id);
    this.#pending.delete(id);
    this.#publish();
  }

  /** One after the other, however many have changed. */
  async #readStale(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const { api, signal } = this.#options;
    const read = async (id: string) => this.put(await api().getInteraction(id, signal));
    for (const id of this.#stale) {
      this.#stale.delete(id);
      // If reading fails, the old state stays until the stream opens again.
      await (this.#stale.size >= manyStale ? this.#list() : read(id)).catch(() => {});
    }
    this.#isReading = false;
  }

  async #list(): Promise<void> {
    this.#stale.clear();
    const waiting = await this.#options.api().listWaiting(this.#options.signal);
    const isFirst = !this.#isKnown;
    this.#isKnown = true;
    const known = new Set(waiting.map(({ id }) => id));
    for (const id of this.#pending.keys()) if (!known.has(id)) this.#pending.delete(id);
    for (const interaction of waiting)
      if (isFirst) this.#pending.set(interaction.id, interaction);
      else this.put(interaction);
    this.#publish();
  }

  #publish(change: Partial<Inbox> = {}): void {
    Object.assign(this.#state, change);
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      if (this.#options.signal.aborted) return;
      const pending = this.#isKnown ? [...this.#pending.values()].sort(byUrgency) : undefined;
      this.#options.onChange({ ...this.#state, pending });
    }, gatherMs);
  }
}

/** The events that change pending questions. */
const changes = ['created', 'updated', 'voted', 'escalated', 'answered', 'declined', 'cancelled', 'expired'];
const followedTypes = changes.map((change) => `interaction.${change}`);
