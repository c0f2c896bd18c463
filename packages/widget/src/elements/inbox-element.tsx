/**
 * All questions that wait for a person, in whatever thread, the most urgent first.
 *
 * @element holdpoint-inbox
 * @attr {string} server - The address of the server; where the script came from, if left out.
 * @attr {string} token - A responder's token that reaches what waits for the person.
 * @attr {string} locale - The language; that of the page, if left out.
 * @attr {'light'|'dark'} theme - Else as the person's system has it.
 * @prop {() => Promise<string>} getToken - Gets a fresh token where one runs out; instead of the attribute.
 * @fires holdpoint-asked - A question came; detail: the interaction.
 * @fires holdpoint-closed - A question was answered or declined here; detail: the interaction.
 * @fires holdpoint-pending - How many wait has changed; detail: { count }.
 * @fires holdpoint-link - A link was followed; detail: { url }.
 * @slot empty - Shown when nothing waits, instead of a sentence that says so.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 */
import type { Interaction } from '@holdpoint/protocol';
import type { Inbox, InboxFeed } from '../connection/inbox-feed.ts';
import { lazily } from '../form/lazily.tsx';
import type { InboxViewProps } from '../inbox/inbox-view.tsx';
import { ConnectedElement } from './connected-element.tsx';

/** What follows and shows it comes when there is an inbox: most pages have none. */
const load = () => import('../inbox/inbox-view.tsx');
const InboxView = lazily<InboxViewProps>(() => load().then((all) => all.InboxView));

export class InboxElement extends ConnectedElement {
  #inbox: Inbox = { pending: undefined, isOnline: true, isRefused: false };
  #feed: InboxFeed | undefined;
  #news = '';

  override connectedCallback(): void {
    super.connectedCallback();
    void load().then(({ inboxSheet }) => this.root.adoptedStyleSheets.push(inboxSheet));
  }

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const { pending, isOnline, isRefused } = this.#inbox;
    if (isRefused) return <p class="state">{strings.notFound}</p>;
    return <InboxView {...{ pending, isOnline, actions, drafts, strings, locale }} news={this.#news} />;
  }

  protected override onClosed(interaction: Interaction): void {
    this.#feed?.put(interaction);
    if (interaction.status !== 'pending') this.tell('closed', interaction);
  }

  protected override connect(signal: AbortSignal): void {
    this.#inbox = { pending: undefined, isOnline: true, isRefused: false };
    void load().then(({ InboxFeed }) => this.#follow(InboxFeed, signal));
  }

  #follow(Feed: typeof InboxFeed, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#feed = new Feed({
      api: () => this.api,
      signal,
      onChange: (after) => {
        const before = this.#inbox.pending?.length;
        this.#inbox = after;
        if (after.pending && after.pending.length !== before) this.tell('pending', { count: after.pending.length });
        this.update();
      },
      onAsked: (interaction) => {
        this.#news = this.strings.newRequest(interaction.title);
        this.tell('asked', interaction);
      },
    });
  }
}
