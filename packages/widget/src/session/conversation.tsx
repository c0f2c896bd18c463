/**
 * A visitor's conversation in a page with a public key. It polls the execution of the agent, because the blocks dialect
 * has no event stream for visitors.
 */
import { type Actor, type Answer, defined, type FileRef, type Interaction, type Message } from '@holdpoint/protocol';
import type { ApiError, ThreadCalls } from '../connection/api.ts';
import type { SentFile } from '../connection/send-file.ts';
import type { Feed, FeedListener } from '../connection/thread-feed.ts';
import type { Entered } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';
import { session as rules } from '../style/session.ts';
import { addRules } from '../style/sheets.ts';
import { type Asked, askedIn, isPartOf, placedIn } from './asked.ts';
import { messageOf, type Reply, type ShownBlock } from './blocks-calls.ts';
import { startPolling } from './polling.ts';
import { QuickQuestions } from './quick-questions.tsx';
import { english, sessionWords } from './session-words.ts';
import { firstPauseMs, longestRetryMs, VisitorSession } from './visitor-session.ts';

interface ConversationOptions extends FeedListener {
  /** The element. Its attributes say which session to open. */
  host: HTMLElement;
  signal: AbortSignal;
}

/** The longest pause between two polls. Without one, the next poll comes after something is sent. */
const pausesMs: Partial<Record<Reply['status'], number>> = {
  running: 3_000,
  waiting_time: 15_000,
  waiting_input: 15_000,
};

export class VisitorConversation implements ThreadCalls {
  readonly #options: ConversationOptions;
  readonly #session: VisitorSession;
  readonly #pollNow: () => void;
  readonly #words: typeof english;
  readonly #startedAt = new Date().toISOString();
  #messages: Message[] = [];
  #executionId: string | undefined;
  #status: Reply['status'] | undefined;
  #asked: Asked | undefined;
  /** By id. Closed questions stay, because a card may still ask for the outcome. */
  readonly #questions = new Map<string, Asked>();
  readonly #answered = new Map<string, Interaction>();
  /** An answer whose response was lost. */
  #unsure: { id: string; entered: Entered; key: string } | undefined;
  #state: Omit<Feed, 'pending' | 'messages'> = { isLoaded: false, isOnline: true };
  /** Changes when something is sent. A reply that was requested before is then outdated. */
  #turn = 0;
  #isStale = true;

  constructor(options: ConversationOptions) {
    const { host, signal } = options;
    this.#options = options;
    // The element sets `lang` to the language of its texts.
    this.#words = sessionWords[host.lang] ?? english;
    addRules(host.shadowRoot, rules);
    const lookAgain = () => {
      this.#isStale = true;
      this.#pollNow();
    };
    this.#session = new VisitorSession({
      host,
      signal,
      onOpened: lookAgain,
      onFailed: (error, isFinal) =>
        this.#publish({ isOnline: false, ...defined({ fault: isFinal ? error : undefined }) }),
    });
    addEventListener('online', lookAgain, { signal });
    addEventListener('offline', () => this.#publish({ isOnline: false }), { signal });
    document.addEventListener('visibilitychange', () => document.hidden || lookAgain(), { signal });
    this.#pollNow = startPolling(() => this.#poll(), firstPauseMs, signal);
  }

  /** Always a heading, because questions are headings of the next level. Hidden if the key has no title. */
  title({ conversation }: Strings) {
    const title = this.#session.opened?.widget.title;
    const isNamed = typeof title === 'string' && title !== '';
    return (
      <h2 class={isNamed ? 'session-title' : 'visually-hidden'} dir="auto">
        {isNamed ? title : conversation}
      </h2>
    );
  }

  /** Shown if there is no conversation. */
  get notFound(): string {
    return this.#words.unavailable;
  }

  /** The quick questions, until the first message. */
  suggested(strings: Strings, send: (text: string) => Promise<void>) {
    const isEmpty = this.#state.isLoaded && this.#messages.length === 0;
    const questions = isEmpty ? (this.#session.opened?.quickQuestions ?? []) : [];
    return questions.length > 0 && <QuickQuestions {...{ questions, send, strings }} />;
  }

  /** Opens a new session if the old one has expired, so that the visitor's message is not lost. */
  async postMessage(_threadId: string, text: string, key: string): Promise<Message> {
    await this.#session.open();
    const send = () => this.#session.calls.send({ text }, key);
    const reply = await send().catch(async (error: ApiError) => {
      if (error.status !== 401) throw error;
      this.#end();
      await this.#session.open();
      return send();
    });
    if (!this.#messages.some(({ role }) => role === 'user')) void this.#session.record('conversation_started');
    void this.#session.record('message_sent');
    this.#isStale = true;
    this.#expectReply(reply);
    return this.#message('', 'user', new Date().toISOString(), []);
  }

  /** Does nothing: the message comes with the history, where it has its id and its time. */
  putMessage(): void {}

  /** Takes the state that the server has just returned. */
  put({ id, status }: Interaction): void {
    if (status !== 'pending' && this.#asked?.interaction.id === id) this.#ask(undefined);
    this.#publish();
    this.#pollNow();
  }

  async token(): Promise<string> {
    return this.#session.calls.token;
  }

  /** No reply says how a question was closed. So an answer whose response was lost is sent again with its key. */
  async getInteraction(id: string): Promise<Interaction> {
    const answered = this.#answered.get(id);
    if (answered) return answered;
    const { interaction, executionId } = this.#known(id);
    // Without the session, none of its questions can be answered.
    if (!this.#session.calls.token) return { ...interaction, status: 'expired', closedAt: new Date().toISOString() };
    const asked = this.#read(await this.#session.calls.getReply(executionId));
    if (asked?.interaction.id === id) return asked.interaction;
    if (this.#unsure?.id === id) {
      const { entered, key } = this.#unsure;
      const taken = await this.answer(id, entered, key).catch((error: ApiError) => {
        if (error.status !== 409) throw error;
      });
      if (taken) return taken;
    }
    const isOver = interaction.deadline !== undefined && Date.parse(interaction.deadline.at) <= Date.now();
    return { ...interaction, status: isOver ? 'expired' : 'cancelled', closedAt: new Date().toISOString() };
  }

  async answer(id: string, { values = {}, payload }: Entered, key: string): Promise<Interaction> {
    const asked = this.#known(id);
    const { interaction, executionId, waitToken, payloadName } = asked;
    const own = payloadName === undefined ? (payload as object | undefined) : { [payloadName]: payload };
    this.#unsure = { id, entered: { values, payload }, key };
    const reply = await this.#session.calls
      .send({ executionId, waitToken, values: { ...values, ...own } }, key)
      .catch((error: ApiError) => {
        const { status, problems } = error;
        if (status > 0 && status < 500) this.#unsure = undefined;
        if (status === 401) this.#end();
        throw Object.assign(error, { problems: placedIn(interaction, problems) });
      });
    this.#unsure = undefined;
    this.#expectReply(reply);
    const at = new Date().toISOString();
    const by: Actor = { type: 'human', id: this.#session.calls.subject, via: 'token' };
    const answer: Answer = { id: key, decision: 'accepted', values, by, at };
    const closing = { status: 'answered', closedReason: 'answered', closedAt: at, closedBy: by } as const;
    const answered: Interaction = { ...interaction, ...closing, version: 2, answer, votes: [answer] };
    this.#answered.set(id, answered);
    return answered;
  }

  /** Never called: the button is hidden, because the dialect has no such call. */
  decline(): Promise<Interaction> {
    return Promise.reject(new Error('The blocks dialect has no call to decline.'));
  }

  upload(id: string, file: SentFile): Promise<FileRef> {
    return this.#session.calls.upload(this.#known(id).executionId, file);
  }

  /** Drafts stay in the browser, because the server knows no other device of a visitor. */
  getDraft = async () => ({});
  saveDraft = async () => ({});

  #known(id: string): Asked {
    const asked = this.#questions.get(id);
    if (!asked) throw new Error(`There was no question ${id}.`);
    return asked;
  }

  #end(): void {
    this.#session.end();
    this.#executionId = undefined;
    this.#status = undefined;
    this.#turn++;
    this.#ask(undefined);
    this.#publish();
  }

  /** Returns the longest pause until the next poll. */
  async #poll(): Promise<number | undefined> {
    let longestMs: number | undefined;
    if (this.#session.calls.token)
      try {
        await this.#look();
        this.#state.isOnline = true;
        longestMs = this.#status && pausesMs[this.#status];
      } catch (error) {
        this.#isStale = true;
        if ((error as ApiError).status === 401) this.#end();
        else {
          this.#state.isOnline = false;
          longestMs = longestRetryMs;
        }
      }
    if (!this.#options.signal.aborted) this.#publish();
    return longestMs;
  }

  async #look(): Promise<void> {
    const turn = this.#turn;
    if (this.#isStale) {
      this.#isStale = false;
      const { messages, executionId } = await this.#session.calls.readHistory();
      if (turn !== this.#turn) {
        this.#isStale = true;
        return;
      }
      this.#messages = messages.map(({ id, role, createdAt, blocks }) => this.#message(id, role, createdAt, blocks));
      this.#executionId = executionId ?? undefined;
    }
    const reply = this.#executionId === undefined ? undefined : await this.#session.calls.getReply(this.#executionId);
    if (turn !== this.#turn) return;
    if (reply) this.#show(reply);
    this.#state.isLoaded = true;
  }

  #show(reply: Reply): void {
    this.#executionId = reply.executionId;
    this.#status = reply.status;
    const asked = this.#read(reply);
    const questionId = asked?.interaction.id;
    const said = reply.blocks.filter(({ id }) => id !== questionId && !isPartOf(id, questionId));
    const known = new Set(this.#messages.map(({ id }) => id));
    for (const [id, blocks] of Map.groupBy(said, messageOf))
      if (!known.has(id)) this.#messages.push(this.#message(id, 'agent', new Date().toISOString(), blocks));
    this.#ask(asked);
  }

  #read(reply: Reply): Asked | undefined {
    return askedIn(reply, { untitled: this.#words.untitled, at: this.#startedAt });
  }

  /** An unchanged question stays the same object, so that its form is not rendered again. */
  #ask(asked: Asked | undefined): void {
    const { onAsked, onClosed } = this.#options;
    const before = this.#asked?.interaction;
    const isSame = JSON.stringify(before) === JSON.stringify(asked?.interaction);
    this.#asked = asked && before && isSame ? { ...asked, interaction: before } : asked;
    if (before && before.id !== asked?.interaction.id) onClosed?.(before.id);
    if (!asked) return;
    this.#questions.set(asked.interaction.id, asked);
    if (this.#state.isLoaded && before?.id !== asked.interaction.id) onAsked?.(asked.interaction);
  }

  /** Called after a message or an answer was sent. */
  #expectReply({ executionId }: Reply): void {
    this.#turn++;
    this.#executionId = executionId;
    this.#status = 'running';
    this.#publish();
    this.#pollNow();
  }

  #message(id: string, role: Message['role'], at: string, blocks: ShownBlock[]): Message {
    const threadId = this.#session.opened?.conversationId ?? '';
    const by: Actor = { type: role === 'user' ? 'human' : 'agent', id: role, via: 'unknown' };
    return { id, role, at, blocks, threadId, by };
  }

  #publish(change: Partial<Feed> = {}): void {
    Object.assign(this.#state, change);
    const notice = (id: string, role: Message['role'], text?: string): Message =>
      this.#message(id, role, new Date().toISOString(), text ? [{ id, type: 'message', payload: { text } }] : []);
    const status = this.#status;
    this.#options.onChange({
      ...this.#state,
      pending: this.#asked ? [this.#asked.interaction] : [],
      messages: [
        ...this.#messages,
        ...(status === 'running' ? [{ ...notice('writing', 'agent'), state: 'streaming' as const }] : []),
        ...(status === 'failed' ? [notice('failed', 'system', this.#words.failed)] : []),
      ],
    });
  }
}
