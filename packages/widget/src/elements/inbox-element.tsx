/**
 * All pending questions of a person, from every thread, the most urgent first.
 *
 * @element holdpoint-inbox
 * @attr {string} token - A responder token for the person's inbox.
 * @fires holdpoint-asked - A question arrived; detail: the interaction.
 * @fires holdpoint-pending - The number of pending questions changed; detail: { count }.
 * @slot empty - Shown if no question is pending, instead of our text.
 */
import type { Interaction } from '@holdpoint/protocol';
import type { Inbox, InboxFeed } from '../connection/inbox-feed.ts';
import { lazily } from '../form/lazily.tsx';
import { ConnectedElement } from './connected-element.tsx';

/** Fetched only if there is an inbox, because most pages have none. */
const load = () => import('../inbox/inbox-view.tsx');
const InboxView = lazily(() => load().then((all) => all.InboxView));

const unknown: Inbox = { pending: undefined, isOnline: true, isRefused: false };

export class InboxElement extends ConnectedElement {
  #inbox = unknown;
  #feed: InboxFeed | undefined;
  #news = '';

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const { pending, isOnline, isRefused } = this.#inbox;
    if (isRefused) return <p class="state">{strings.notFound}</p>;
    return <InboxView {...{ pending, isOnline, actions, drafts, strings, locale }} news={this.#news} />;
  }

  protected override put(interaction: Interaction): void {
    this.#feed?.put(interaction);
  }

  protected override connect(signal: AbortSignal): void {
    this.#inbox = unknown;
    void load().then(({ startInbox }) => {
      if (signal.aborted) return;
      this.#feed = startInbox(this.root, {
        api: () => this.api,
        signal,
        onChange: (after) => {
          const before = this.#inbox.pending?.length;
          this.#inbox = after;
          if (after.pending && after.pending.length !== before) this.emit('pending', { count: after.pending.length });
          this.update();
        },
        onAsked: (interaction) => {
          this.#news = this.strings.newRequest(interaction.title);
          this.emit('asked', interaction);
        },
      });
    });
  }
}
