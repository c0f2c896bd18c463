/**
 * A visitor's conversation, by the public key of the page. It is opened when the visitor first sees it, kept for the
 * tab, and followed by asking how its execution stands.
 */

import type { Actor, Answer, FileRef, Interaction, Message } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import type { ApiError, ThreadCalls } from '../connection/api.ts';
import type { SentFile } from '../connection/send-file.ts';
import type { FeedListener } from '../connection/thread-feed.ts';
import type { Entered } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';
import { session as sessionStyle } from '../style/session.ts';
import { type Asked, askedIn, isPartOf, placedIn } from './asked.ts';
import { BlocksCalls, type OpenedSession, type Reply, type ShownBlock } from './blocks-calls.ts';
import { KeptSession } from './kept-session.ts';
import { QuickQuestions, SessionHeading } from './session-view.tsx';
import { english, type SessionWords, sessionWords } from './session-words.ts';

interface SessionOptions extends FeedListener {
  /** The element, whose attributes say what to open. */
  host: HTMLElement;
  signal: AbortSignal;
}

const firstPauseMs = 400;
const longestRetryMs = 15_000;
/** The longest time until it asks again. Without one it waits until something is sent. */
const pausesMs: Partial<Record<Reply['status'], number>> = {
  running: 3_000,
  waiting_time: 15_000,
  waiting_input: 15_000,
};
const linkLength = 2_000;
const localePattern = /^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,4}$/;

export class Session implements ThreadCalls {
  readonly #options: SessionOptions;
  readonly #calls: BlocksCalls;
  readonly #kept: KeptSession;
  readonly #publicKey: string;
  readonly #customerId: string;
  readonly #words: SessionWords;
  readonly #beganAt = new Date().toISOString();
  #opened: OpenedSession | undefined;
  #opening: Promise<void> | undefined;
  #messages: Message[] = [];
  #executionId: string | undefined;
  #status: Reply['status'] | undefined;
  #asked: Asked | undefined;
  /** By their ids, also after they are closed: a card may still ask what became of its question. */
  readonly #questions = new Map<string, Asked>();
  readonly #answered = new Map<string, Interaction>();
  /** An answer whose response was lost. */
  #unsure: { id: string; entered: Entered; key: string } | undefined;
  #isLoaded = false;
  #isOnline = true;
  #fault: ApiError | undefined;
  /** Changes when something is sent, so that a reply that was asked for before is not shown after it. */
  #turn = 0;
  #isStale = true;
  #pauseMs = firstPauseMs;
  #isDue = false;
  #endRest: (() => void) | undefined;

  constructor(options: SessionOptions) {
    const { host, signal } = options;
    const server = host.getAttribute('server') ?? new URL(import.meta.url).origin;
    this.#options = options;
    this.#calls = new BlocksCalls(server.replace(/\/$/, ''));
    // The element names the language that it speaks.
    this.#words = sessionWords[host.lang] ?? english;
    addStyles(host);
    this.#customerId = host.getAttribute('customer-id') ?? '';
    this.#publicKey = host.getAttribute('public-key') ?? '';
    this.#kept = new KeptSession(this.#publicKey, this.#customerId);
    const kept = this.#kept.read();
    if (kept) this.#use(kept);
    // A session for everybody who loads the page would make threads for people who never look.
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void this.#record('widget_open');
    });
    seen.observe(host);
    signal.addEventListener('abort', () => {
      seen.disconnect();
      this.#wakeUp();
    });
    const lookAgain = () => {
      this.#isStale = true;
      this.#wakeUp();
    };
    addEventListener('online', lookAgain, { signal });
    document.addEventListener('visibilitychange', () => document.hidden || lookAgain(), { signal });
    host.addEventListener(
      'holdpoint-link',
      (event) => {
        const { url } = (event as CustomEvent<{ url: string }>).detail;
        void this.#record('link_click', { url: url.slice(0, linkLength) });
      },
      { signal },
    );
    void this.#follow();
  }

  /** Questions are headings of the level below, also where the key names no title. */
  title({ conversation }: Strings) {
    const title = this.#opened?.widget.title;
    const isNamed = typeof title === 'string' && title !== '';
    return <SessionHeading title={isNamed ? title : conversation} isHidden={!isNamed} />;
  }

  /** In place of the conversation, where there is none. */
  get notFound(): string {
    return this.#words.unavailable;
  }

  /** The quick questions, until something is said. */
  suggested(strings: Strings, send: (text: string) => Promise<void>) {
    const questions = this.#isLoaded && this.#messages.length === 0 ? (this.#opened?.quickQuestions ?? []) : [];
    return questions.length > 0 && <QuickQuestions {...{ questions, send, strings }} />;
  }

  /** A session that has expired is followed by a new one, so that what the visitor wrote is not lost. */
  async postMessage(_threadId: string, text: string, key: string): Promise<Message> {
    await this.#open();
    const send = () => this.#calls.send({ text }, key);
    const reply = await send().catch(async (error: ApiError) => {
      if (error.status !== 401) throw error;
      this.#end();
      await this.#open();
      return send();
    });
    if (!this.#messages.some(({ role }) => role === 'user')) void this.#record('conversation_started');
    void this.#record('message_sent');
    this.#isStale = true;
    this.#goOn(reply);
    return this.#message('', 'user', new Date().toISOString(), []);
  }

  /** It is read from the history, where it has its id and its time. */
  putMessage(): void {}

  /** What the server said of a question just now. */
  put({ id, status }: Interaction): void {
    if (status !== 'pending' && this.#asked?.interaction.id === id) this.#ask(undefined);
    this.#tell();
    this.#wakeUp();
  }

  async token(): Promise<string> {
    return this.#calls.token;
  }

  /** No reply says how a question was closed, so an answer whose response was lost is sent again, with its key. */
  async getInteraction(id: string): Promise<Interaction> {
    const answered = this.#answered.get(id);
    if (answered) return answered;
    const { interaction, executionId } = this.#known(id);
    // With the session, everything that it could answer is over.
    if (!this.#calls.token) return { ...interaction, status: 'expired', closedAt: new Date().toISOString() };
    const asked = this.#read(await this.#calls.getReply(executionId));
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
    const reply = await this.#calls
      .send({ executionId, waitToken, values: { ...values, ...own } }, key)
      .catch((error: ApiError) => {
        const { status, problems } = error;
        if (status > 0 && status < 500) this.#unsure = undefined;
        if (status === 401) this.#end();
        throw Object.assign(error, { problems: placedIn(interaction, problems) });
      });
    this.#unsure = undefined;
    this.#goOn(reply);
    const at = new Date().toISOString();
    const by: Actor = { type: 'human', id: subjectOf(this.#calls.token) };
    const answer: Answer = { id: key, decision: 'accepted', values, by, at };
    const closing = { status: 'answered', closedReason: 'answered', closedAt: at, closedBy: by } as const;
    const answered: Interaction = { ...interaction, ...closing, version: 2, answer, votes: [answer] };
    this.#answered.set(id, answered);
    return answered;
  }

  /** Not offered: the dialect has no call for it. */
  decline(): Promise<Interaction> {
    return Promise.reject(new Error('The blocks dialect has no call to decline.'));
  }

  upload(id: string, file: SentFile): Promise<FileRef> {
    return this.#calls.upload(this.#known(id).executionId, file);
  }

  /** Drafts stay in the browser: a visitor has no other device that the server could know. */
  getDraft = async () => ({});
  saveDraft = async () => ({});

  #known(id: string): Asked {
    const asked = this.#questions.get(id);
    if (!asked) throw new Error(`There was no question ${id}.`);
    return asked;
  }

  #use(opened: OpenedSession): void {
    this.#opened = opened;
    this.#calls.token = opened.sessionToken;
  }

  #end(): void {
    this.#kept.write(undefined);
    this.#calls.token = '';
    this.#executionId = undefined;
    this.#status = undefined;
    this.#turn++;
    this.#ask(undefined);
    this.#tell();
  }

  /** Once for all that wait for it. */
  #open(): Promise<void> {
    if (this.#calls.token) return Promise.resolve();
    this.#opening ??= this.#openAnew().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** As long as trying again may help. */
  async #openAnew(): Promise<void> {
    const { host, signal } = this.#options;
    const customerId = this.#customerId;
    const variables = host.getAttribute('variables');
    const locale = host.getAttribute('locale') || document.documentElement.lang || navigator.language;
    const person = {
      publicKey: this.#publicKey,
      ...defined({
        customerId: customerId || undefined,
        variables: variables ? JSON.parse(variables) : undefined,
        locale: localePattern.test(locale) ? locale : undefined,
      }),
    };
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestRetryMs))
      try {
        const opened = await this.#calls.open(person);
        this.#use(opened);
        this.#kept.write(opened);
        this.#isStale = true;
        return this.#wakeUp();
      } catch (error) {
        this.#isOnline = false;
        if (!mayPass(error)) this.#fault = error as ApiError;
        this.#tell();
        if (!mayPass(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
  }

  async #record(name: string, props: object = {}): Promise<void> {
    try {
      await this.#open();
      this.#calls.record(name, props);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: whoever put the key into the page has no other place to read why.
      console.warn(`Holdpoint opened no session: ${(error as Error).message}`);
    }
  }

  /** Asks how things stand, again and again, and in between waits as long as the answer allows. */
  async #follow(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      let longestMs: number | undefined;
      if (this.#calls.token)
        try {
          await this.#look();
          this.#isOnline = true;
          longestMs = this.#status && pausesMs[this.#status];
        } catch (error) {
          this.#isStale = true;
          if ((error as ApiError).status === 401) this.#end();
          else {
            this.#isOnline = false;
            longestMs = longestRetryMs;
          }
        }
      if (signal.aborted) return;
      this.#tell();
      await this.#rest(longestMs === undefined ? undefined : Math.min(this.#pauseMs, longestMs));
      this.#pauseMs *= 1.5;
    }
  }

  async #look(): Promise<void> {
    const turn = this.#turn;
    if (this.#isStale) {
      this.#isStale = false;
      const { messages, executionId } = await this.#calls.readHistory();
      if (turn !== this.#turn) {
        this.#isStale = true;
        return;
      }
      this.#messages = messages.map(({ id, role, createdAt, blocks }) => this.#message(id, role, createdAt, blocks));
      this.#executionId = executionId ?? undefined;
    }
    const reply = this.#executionId === undefined ? undefined : await this.#calls.getReply(this.#executionId);
    if (turn !== this.#turn) return;
    if (reply) this.#show(reply);
    this.#isLoaded = true;
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
    return askedIn(reply, { untitled: this.#words.untitled, at: this.#beganAt });
  }

  /** A question that has not changed stays the same object, so that nothing of its form is drawn again. */
  #ask(asked: Asked | undefined): void {
    const { onAsked, onClosed } = this.#options;
    const before = this.#asked?.interaction;
    const isSame = JSON.stringify(before) === JSON.stringify(asked?.interaction);
    this.#asked = asked && before && isSame ? { ...asked, interaction: before } : asked;
    if (before && before.id !== asked?.interaction.id) onClosed?.(before.id);
    if (!asked) return;
    this.#questions.set(asked.interaction.id, asked);
    if (this.#isLoaded && before?.id !== asked.interaction.id) onAsked?.(asked.interaction);
  }

  /** Something was sent, and this is where it went. */
  #goOn({ executionId }: Reply): void {
    this.#turn++;
    this.#executionId = executionId;
    this.#status = 'running';
    this.#tell();
    this.#wakeUp();
  }

  #message(id: string, role: Message['role'], at: string, blocks: ShownBlock[]): Message {
    const threadId = this.#opened?.conversationId ?? '';
    return { id, role, at, blocks, threadId, by: { type: role === 'user' ? 'human' : 'agent', id: role } };
  }

  #tell(): void {
    const notice = (id: string, role: Message['role'], text?: string): Message =>
      this.#message(id, role, new Date().toISOString(), text ? [{ id, type: 'message', payload: { text } }] : []);
    const status = this.#status;
    this.#options.onChange({
      ...{ isLoaded: this.#isLoaded, isOnline: this.#isOnline },
      ...defined({ fault: this.#fault }),
      pending: this.#asked ? [this.#asked.interaction] : [],
      messages: [
        ...this.#messages,
        ...(status === 'running' ? [{ ...notice('writing', 'agent'), state: 'streaming' as const }] : []),
        ...(status === 'failed' ? [notice('failed', 'system', this.#words.failed)] : []),
      ],
    });
  }

  #wakeUp(): void {
    this.#pauseMs = firstPauseMs;
    this.#isDue = true;
    this.#endRest?.();
  }

  /** Ends early when something is to be asked at once. */
  async #rest(ms: number | undefined): Promise<void> {
    if (!this.#isDue)
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        this.#endRest = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#isDue = false;
  }
}

const sheet = new CSSStyleSheet();

function addStyles({ shadowRoot }: HTMLElement): void {
  sheet.replaceSync(sessionStyle);
  if (shadowRoot && !shadowRoot.adoptedStyleSheets.includes(sheet)) shadowRoot.adoptedStyleSheets.push(sheet);
}

/** By hand: `readClaims` is in the script of forms, which a conversation without questions does not fetch. */
function subjectOf(token: string): string {
  const claims = atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '');
  const bytes = Uint8Array.from(claims, (letter) => letter.charCodeAt(0));
  return (JSON.parse(new TextDecoder().decode(bytes)) as { sub: string }).sub;
}

/** The blocks of a message are numbered after its id. */
const messageOf = ({ id }: ShownBlock): string => id.slice(0, id.lastIndexOf(':'));

/** No connection, too many calls, or a server that is in trouble. */
function mayPass(error: unknown): boolean {
  const { status } = error as ApiError;
  return status === 0 || status === 429 || status >= 500;
}
