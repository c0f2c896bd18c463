/**
 * The pending questions of a thread, to put above your own composer.
 *
 * @element holdpoint-requests
 * @attr {string} thread - The id of the thread.
 * @attr {string} token - A responder token whose scope includes the thread.
 * @fires holdpoint-asked - A question arrived; detail: the interaction.
 * @fires holdpoint-pending - The number of pending questions changed; detail: { count }.
 * @slot empty - Shown if no question is pending.
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
