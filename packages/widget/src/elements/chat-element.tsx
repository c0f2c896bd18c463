/**
 * A conversation: the messages, the pending questions, and a box to write in.
 *
 * @element holdpoint-chat
 * @attr {string} thread - The id of the thread.
 * @attr {string} public-key - The public key of a page for everybody. Use it instead of thread and token: the element opens a session for the visitor.
 * @attr {string} customer-id - The id of the visitor, as the page says it. Nobody checks it.
 * @attr {string} variables - Values for the agent when a session opens, as JSON.
 * @attr {boolean} read-only - Shows the messages alone: no questions, and no box to write in.
 * @prop {(interaction: Interaction) => boolean} mayAnswer - Returns false for questions that the element leaves out, such as those for others. Default: it shows all.
 * @attr {string} token - A responder token whose scope includes the thread.
 * @fires holdpoint-asked - A question arrived; detail: the interaction.
 * @fires holdpoint-pending - The number of pending questions changed; detail: { count }.
 * @csspart transcript - The messages.
 * @csspart message - One message; also by its role: user, agent or system.
 * @csspart composer - The box to write a message.
 * @cssprop [--hp-height=640px] - The height of the conversation.
 */
import type { Interaction } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { Composer } from '../chat/composer.tsx';
import { Transcript } from '../chat/transcript.tsx';
import type { ThreadCalls } from '../connection/api.ts';
import { RequestStack } from '../request/lazy-requests.tsx';
import type { VisitorConversation } from '../session/conversation.tsx';
import { chat } from '../style/chat.ts';
import { ThreadElement } from './thread-element.tsx';

export class ChatElement extends ThreadElement {
  static override observedAttributes = [...ThreadElement.observedAttributes, 'public-key', 'read-only'];
  protected readonly withMessages = true;
  protected override readonly styles = chat;
  /** Returns false for questions that the element leaves out, such as those for others. */
  declare mayAnswer: ((interaction: Interaction) => boolean) | undefined;
  readonly #keys = new Map<string, string>();
  /** Only if the person is a visitor with a public key. */
  #conversation: VisitorConversation | undefined;
  #openSession: (() => Promise<void>) | undefined;

  protected override get calls(): ThreadCalls {
    return this.#conversation ?? this.api;
  }

  /** Only visitors need the script of sessions. The token of a known person is for the native routes. */
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
    // If the script does not load, it is fetched again when the visitor writes.
    this.#openSession().catch(() => {});
  }

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const { messages, isLoaded, isOnline, fault } = this.feed;
    const pending = this.feed.pending.filter(this.mayAnswer ?? Boolean);
    const conversation = this.#conversation;
    const send = (text: string) => this.#send(text);
    const isReadOnly = this.hasAttribute('read-only');
    if (fault) return <p class="state">{conversation?.notFound ?? strings.notFound}</p>;
    return (
      <div class="chat">
        {conversation?.title(strings)}
        <Transcript {...{ messages, isLoaded, strings, locale }} />
        {!isOnline && pending.length === 0 && <p class="hint away">{strings.reconnecting}</p>}
        {this.newsLine()}
        {!isReadOnly && this.wasAsked && <RequestStack {...{ pending, isOnline, actions, drafts, strings, locale }} />}
        {conversation?.suggested(strings, send)}
        {!isReadOnly && (
          <Composer
            {...{ strings, send }}
            onTyping={() => this.#openSession || void this.api.reportTyping(this.threadId).catch(() => {})}
          />
        )}
      </div>
    );
  }

  /** After a failure, the same text has the same key, so that it is posted once. */
  async #send(text: string): Promise<void> {
    const key = this.#keys.get(text) ?? newKey();
    this.#keys.set(text, key);
    await this.#openSession?.();
    this.following?.putMessage(await this.calls.postMessage(this.threadId, text, key));
    this.#keys.delete(text);
  }
}
