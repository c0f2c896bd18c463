/**
 * A conversation: what was said, what waits, and where to write.
 *
 * @element holdpoint-chat
 * @attr {string} thread - The id of the thread.
 * @attr {string} public-key - Instead of thread and token: a visitor of a public page, whose session the element opens and keeps.
 * @attr {string} customer-id - Who the page says the visitor is; nobody checks it.
 * @attr {string} variables - What the page tells the agent with a new session, as JSON.
 * @attr {string} server - The address of the server; where the script came from, if left out.
 * @attr {string} token - A responder's token that reaches the thread.
 * @attr {string} locale - The language; that of the page, if left out.
 * @attr {'light'|'dark'} theme - Else as the person's system has it.
 * @prop {() => Promise<string>} getToken - Gets a fresh token where one runs out; instead of the attribute.
 * @fires holdpoint-asked - A question came; detail: the interaction.
 * @fires holdpoint-closed - A question was answered or declined here; detail: the interaction.
 * @fires holdpoint-pending - How many wait has changed; detail: { count }.
 * @fires holdpoint-link - A link was followed; detail: { url }.
 * @csspart transcript - What was said.
 * @csspart message - One message; also by its role: user, agent or system.
 * @csspart composer - Where a message is written.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 * @cssprop [--hp-height=640px] - How high the conversation is.
 */
import { newKey } from '@holdpoint/protocol/new-key';
import { Composer } from '../chat/composer.tsx';
import { Transcript } from '../chat/transcript.tsx';
import type { ThreadCalls } from '../connection/api.ts';
import { RequestStack } from '../request/lazy-requests.tsx';
import type { VisitorConversation } from '../session/conversation.tsx';
import { chat } from '../style/chat.ts';
import { ThreadElement } from './thread-element.tsx';

export class ChatElement extends ThreadElement {
  static override observedAttributes = [...ThreadElement.observedAttributes, 'public-key'];
  protected readonly withMessages = true;
  protected override readonly styles = chat;
  readonly #keys = new Map<string, string>();
  /** Of a visitor. */
  #conversation: VisitorConversation | undefined;
  #openSession: (() => Promise<void>) | undefined;

  protected override get calls(): ThreadCalls {
    return this.#conversation ?? this.api;
  }

  /** The script of sessions is fetched for visitors alone: the token of a person is for the native routes. */
  protected override connect(signal: AbortSignal): void {
    this.#conversation = this.#openSession = undefined;
    if (!this.hasAttribute('public-key')) {
      super.connect(signal);
      return;
    }
    this.#openSession = async () => {
      const { VisitorConversation } = await import('../session/conversation.tsx');
      if (signal.aborted) return;
      this.#conversation ??= new VisitorConversation({ host: this, signal, ...this.listener() });
      this.following = this.#conversation;
    };
    // If the script does not come, it is fetched again when the visitor writes.
    this.#openSession().catch(() => {});
  }

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const { pending, messages, isLoaded, isOnline, fault } = this.feed;
    const conversation = this.#conversation;
    const send = (text: string) => this.#send(text);
    if (fault) return <p class="state">{conversation?.notFound ?? strings.notFound}</p>;
    return (
      <div class="chat">
        {conversation?.title(strings)}
        <Transcript {...{ messages, isLoaded, strings, locale }} />
        {!isOnline && pending.length === 0 && <p class="hint away">{strings.reconnecting}</p>}
        {this.newsLine()}
        {this.wasAsked && <RequestStack {...{ pending, isOnline, actions, drafts, strings, locale }} />}
        {conversation?.suggested(strings, send)}
        <Composer
          {...{ strings, send }}
          onTyping={() => this.#openSession || void this.api.reportTyping(this.threadId).catch(() => {})}
        />
      </div>
    );
  }

  /** The same words sent again after a failure are the same message. */
  async #send(text: string): Promise<void> {
    const key = this.#keys.get(text) ?? newKey();
    this.#keys.set(text, key);
    await this.#openSession?.();
    this.following?.putMessage(await this.calls.postMessage(this.threadId, text, key));
    this.#keys.delete(text);
  }
}
