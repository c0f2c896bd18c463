/**
 * What waits in a thread, to put above a composer of your own.
 *
 * @element holdpoint-requests
 * @attr {string} thread - The id of the thread.
 * @attr {string} server - The address of the server; where the script came from, if left out.
 * @attr {string} token - A responder's token that reaches the thread.
 * @attr {string} locale - The language; that of the page, if left out.
 * @attr {'light'|'dark'} theme - Else as the person's system has it.
 * @prop {() => Promise<string>} getToken - Gets a fresh token where one runs out; instead of the attribute.
 * @fires holdpoint-asked - A question came; detail: the interaction.
 * @fires holdpoint-closed - A question was answered or declined here; detail: the interaction.
 * @fires holdpoint-pending - How many wait has changed; detail: { count }.
 * @fires holdpoint-link - A link was followed; detail: { url }.
 * @slot empty - Shown when nothing waits.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 */
import { RequestStack } from '../request/lazy-requests.tsx';
import { ThreadElement } from './thread-element.tsx';

export class RequestsElement extends ThreadElement {
  protected readonly withMessages = false;
  #isReady = false;

  /** It is there for questions: what shows them comes while they are looked for. */
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
      // Not seen before what shows a question is there: a picture of the head alone would only put off the form.
      <div hidden={!this.#isReady}>
        {this.newsLine()}
        {this.wasAsked && <RequestStack {...{ pending, isOnline, actions, drafts, strings, locale }} />}
        {isLoaded && pending.length === 0 && <slot name="empty" />}
      </div>
    );
  }
}
