/** An element that shows the pending questions of a thread: the base of the stack and the chat. */
import type { Interaction } from '@holdpoint/protocol';
import { type Feed, type FeedListener, ThreadFeed } from '../connection/thread-feed.ts';
import { ConnectedElement } from './connected-element.tsx';

export abstract class ThreadElement extends ConnectedElement {
  static override observedAttributes = [...ConnectedElement.observedAttributes, 'thread'];
  protected feed: Feed = { isLoaded: false, isOnline: true, pending: [], messages: [] };
  /** A request has been pending since the element started. From then on, the view of requests stays in the page. */
  protected wasAsked = false;
  #news = '';
  protected abstract readonly withMessages: boolean;
  protected following: Pick<ThreadFeed, 'put' | 'putMessage'> | undefined;

  protected get threadId(): string {
    return this.getAttribute('thread') ?? '';
  }

  protected override connect(signal: AbortSignal): void {
    const { threadId, withMessages, api } = this;
    this.following = new ThreadFeed({ ...{ api, threadId, withMessages, signal }, ...this.listener() });
  }

  protected listener(): FeedListener {
    return {
      onChange: (state) => {
        const count = state.pending.length;
        if (count !== this.feed.pending.length) this.emit('pending', { count });
        this.feed = state;
        this.wasAsked ||= count > 0;
        this.update();
      },
      onAsked: (interaction) => {
        this.#news = this.strings.newRequest(interaction.title);
        this.emit('asked', interaction);
        this.update();
      },
      onClosed: (id) => {
        const closed = this.feed.pending.find((one) => one.id === id);
        this.drafts.forget(id);
        if (closed) this.#news = this.strings.closedElsewhere(closed.title);
      },
    };
  }

  /** Rendered before it has text, because a screen reader announces only changes. */
  protected newsLine() {
    return (
      <p class="visually-hidden" role="status">
        {this.#news}
      </p>
    );
  }

  protected override put(interaction: Interaction): void {
    this.following?.put(interaction);
  }
}
