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
 * @slot empty - Shown when nothing waits, instead of a sentence that says so.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 */
import type { Interaction } from '@holdpoint/protocol';
import { byUrgency } from '../connection/by-urgency.ts';
import { lazily } from '../form/lazily.tsx';
import type { InboxViewProps } from '../inbox/inbox-view.tsx';
import { inbox } from '../style/inbox.ts';
import { ConnectedElement } from './connected-element.tsx';

/** Its view comes when there is an inbox: most pages have none. */
const InboxView = lazily<InboxViewProps>(() => import('../inbox/inbox-view.tsx').then((all) => all.InboxView));

/** So often it looks again; at once when the person comes back to the page. */
const everyMs = 4_000;

export class InboxElement extends ConnectedElement {
  protected override readonly styles = inbox;
  #pending: readonly Interaction[] | undefined;
  #isOnline = true;
  #news = '';
  #isRefused = false;

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    if (this.#isRefused) return <p class="state">{strings.notFound}</p>;
    const shared = { pending: this.#pending, isOnline: this.#isOnline, news: this.#news };
    return <InboxView {...{ ...shared, actions, drafts, strings, locale }} />;
  }

  protected override onClosed(interaction: Interaction): void {
    this.#show((this.#pending ?? []).flatMap((one) => (one.id !== interaction.id ? [one] : open(interaction))));
    if (interaction.status !== 'pending') this.tell('closed', interaction);
  }

  protected override connect(signal: AbortSignal): void {
    this.#pending = undefined;
    this.#isRefused = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLooking = false;
    const look = async () => {
      if (isLooking || signal.aborted) return;
      isLooking = true;
      clearTimeout(timer);
      try {
        this.#show((await this.api.listWaiting(signal)).sort(byUrgency));
        this.#isOnline = true;
      } catch (error) {
        const { status = 0 } = error as { status?: number };
        this.#isOnline = false;
        this.#isRefused = status === 401 || status === 403;
      }
      isLooking = false;
      if (signal.aborted) return;
      this.update();
      if (!this.#isRefused) timer = setTimeout(look, everyMs);
    };
    const lookIfSeen = () => void (document.visibilityState === 'visible' && look());
    document.addEventListener('visibilitychange', lookIfSeen, { signal });
    addEventListener('online', lookIfSeen, { signal });
    signal.addEventListener('abort', () => clearTimeout(timer));
    void look();
  }

  #show(pending: readonly Interaction[]): void {
    const before = this.#pending;
    const known = new Set(before?.map(({ id }) => id));
    const fresh = before ? pending.filter(({ id }) => !known.has(id)) : [];
    this.#pending = pending;
    for (const interaction of fresh) this.tell('asked', interaction);
    if (fresh[0]) this.#news = this.strings.newRequest(fresh[0].title);
    if (pending.length !== before?.length) this.tell('pending', { count: pending.length });
    this.update();
  }
}

const open = (interaction: Interaction): Interaction[] => (interaction.status === 'pending' ? [interaction] : []);
