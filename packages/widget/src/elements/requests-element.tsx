/**
 * The pending questions of a thread, to put above your own composer.
 *
 * @element holdpoint-requests
 * @attr {string} thread - The id of the thread.
 * @attr {string} server - The address of the server. Default: the origin of the script.
 * @attr {string} token - A responder token whose scope includes the thread.
 * @attr {string} locale - The language, such as `de`. Default: the language of the page.
 * @attr {'light'|'dark'} theme - The colour scheme. Default: the setting of the person's system.
 * @prop {() => Promise<string>} getToken - Returns a fresh token when one has expired. Use it instead of the attribute.
 * @fires holdpoint-asked - A question arrived; detail: the interaction.
 * @fires holdpoint-closed - A question was answered or declined here; detail: the interaction.
 * @fires holdpoint-pending - The number of pending questions changed; detail: { count }.
 * @fires holdpoint-link - The person followed a link; detail: { url }.
 * @slot empty - Shown if no question is pending.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 */
import { RequestStack } from '../request/lazy-requests.tsx';
import { ThreadElement } from './thread-element.tsx';

export class RequestsElement extends ThreadElement {
  protected readonly withMessages = false;
  #isReady = false;

  /** Fetches the script that shows questions while the questions load. */
  protected override connect(signal: AbortSignal): void {
    void RequestStack.fetch().then(() => {
      this.#isReady = true;
      this.update();
    });
    super.connect(signal);
  }

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const { pending, isOnline, isLoaded, fault } = this.feed;
    if (fault) return <p class="state">{strings.notFound}</p>;
    return (
      // Hidden until the script that shows questions has loaded: painting only the head would delay the form.
      <div hidden={!this.#isReady}>
        {this.newsLine()}
        {this.wasAsked && <RequestStack {...{ pending, isOnline, actions, drafts, strings, locale }} />}
        {isLoaded && pending.length === 0 && <slot name="empty" />}
      </div>
    );
  }
}
