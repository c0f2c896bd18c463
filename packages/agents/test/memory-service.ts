/** As much of the service as an engine needs, in memory, with a clock and an interruption that tests move. */
import {
  type AdvanceRun,
  type CreateInteraction,
  type FreeObject,
  fail,
  type HoldpointService,
  type Interaction,
  type JournalEntry,
  type LogEvent,
  type Message,
  type NewJournalEntry,
  type PostMessage,
  type Run,
} from '@holdpoint/protocol';

class Crash extends Error {}

const by = { type: 'agent', id: 'key', via: 'key' } as const;

export class MemoryService {
  now = Date.parse('2030-01-01T00:00:00Z');
  run: Run;
  journal: JournalEntry[] = [];
  log: LogEvent[] = [];
  messages = new Map<string, Message>();
  interactions = new Map<string, Interaction>();
  appended: string[] = [];
  /** Calls that changed something, of all executions. */
  writes = 0;
  /** The process dies at the write of this number: before it, or after it and before anybody hears of it. */
  crashAt: { write: number; isDone: boolean } | undefined;
  /** What happens just before a question is withdrawn. */
  beforeCancel = () => {};
  /** What the journal does not take. */
  refuses: ((entry: NewJournalEntry) => boolean) | undefined;
  readonly #keys = new Map<string, string>();

  constructor() {
    const at = this.#at();
    this.run = {
      ...{
        id: 'run',
        threadId: 't',
        agent: 'a',
        status: 'running',
        version: 1,
        fromSeq: 1,
        deliveredSeq: 1,
        entries: 0,
      },
      ...{ createdAt: at, updatedAt: at },
    };
    this.say('Hello');
    this.#event('run.started', { run: structuredClone(this.run) });
  }

  get service(): HoldpointService {
    const verbs: Partial<HoldpointService> = {
      readJournal: async ({ after = 0 }) => {
        const data = structuredClone(this.journal.filter(({ index }) => index > after).slice(0, 3));
        const last = data.at(-1)?.index;
        return { data, ...(last !== undefined && last < this.journal.length ? { next: String(last) } : {}) };
      },
      readLog: async ({ after = 0, limit = 2 }) => {
        const data = this.log.filter(({ seq }) => seq > after).slice(0, Math.min(limit, 2));
        const last = data.at(-1)?.seq;
        return { data, ...(last !== undefined && last < this.log.length ? { next: String(last) } : {}) };
      },
      getInteraction: async ({ interactionId }) => structuredClone(this.#interaction(interactionId)),
      getMessage: async ({ messageId }) => structuredClone(this.#message(messageId)),
      getRun: async () => structuredClone(this.run),
      advanceRun: (input) => this.#write(() => this.#advance(input)),
      createInteraction: (input) => this.#once(input.idempotencyKey, () => this.#ask(input), this.interactions),
      cancelInteraction: ({ interactionId, reason }) =>
        this.#write(() => {
          this.beforeCancel();
          if (this.#interaction(interactionId).status !== 'pending')
            fail('interaction-already-answered', 'It is closed.');
          return this.close(interactionId, { status: 'cancelled', ...(reason ? { cancelReason: reason } : {}) });
        }),
      postMessage: (input) => this.#once(input.idempotencyKey, () => this.#post(input), this.messages),
      appendToMessage: ({ messageId, text }) =>
        this.#write(() => {
          if (this.#message(messageId).state !== 'streaming') fail('message-not-streaming', 'It has ended.');
          this.appended.push(text);
          const message = this.#message(messageId);
          const said = `${message.blocks[0]?.payload.text ?? ''}${text}`;
          this.messages.set(messageId, { ...message, blocks: [{ type: 'message', payload: { text: said } }] });
          return this.#message(messageId);
        }),
      completeMessage: ({ messageId }) => this.#write(() => this.#endMessage(messageId, {})),
      cancelMessage: ({ messageId }) => this.#write(() => this.#endMessage(messageId, { state: 'cancelled' })),
      takeSecrets: async () => ({ values: { token: 'secret' } }),
    };
    return verbs as HoldpointService;
  }

  /** What a batch with a message does. */
  say(text: string): void {
    const id = `m${this.messages.size + 1}`;
    const blocks = [{ type: 'message', payload: { text } }];
    const message: Message = {
      id,
      threadId: 't',
      role: 'user',
      blocks,
      by: { type: 'human', id: 'ann', via: 'token' },
      at: this.#at(),
    };
    this.messages.set(id, message);
    this.#event('message.created', { message });
  }

  answer(interactionId: string, values: Record<string, unknown>, payload?: unknown): void {
    const by = { type: 'human', id: 'ann', via: 'token' } as const;
    const given = { values, ...(payload === undefined ? {} : { payload }) };
    const answer = { id: 'x', decision: 'accepted', ...given, by, at: this.#at() } as const;
    this.close(interactionId, { status: 'answered', closedReason: 'answered', answer });
  }

  close(id: string, change: Partial<Interaction>): Interaction {
    const closed = { ...this.#interaction(id), ...change, closedAt: this.#at() };
    this.interactions.set(id, closed);
    this.#event('interaction.answered', {});
    return structuredClone(closed);
  }

  /** What the server does to streams that nobody has appended to for long, and anybody may do. */
  cancelStreams(): void {
    for (const [id, message] of this.messages)
      if (message.state === 'streaming') this.messages.set(id, { ...message, state: 'cancelled' });
  }

  /** What beginRun does: all that the log has is given to it. */
  resume(): Run {
    const { waitingFor: _, ...rest } = this.run;
    this.run = {
      ...rest,
      status: 'running',
      version: rest.version + 1,
      deliveredSeq: this.log.length,
      updatedAt: this.#at(),
    };
    return structuredClone(this.run);
  }

  pending(): Interaction[] {
    return [...this.interactions.values()].filter(({ status }) => status === 'pending');
  }

  #advance({ expectedVersion, entries = [], status = 'running', waitingFor, result, error }: AdvanceRun): Run {
    if (this.run.endedAt) fail('run-ended' as 'internal', 'It is over.');
    if (expectedVersion !== this.run.version) fail('version-conflict', 'Somebody else was faster.');
    if (this.refuses && entries.some(this.refuses)) fail('invalid-input', 'An entry cannot be kept.');
    const at = this.#at();
    for (const entry of structuredClone(entries)) this.journal.push({ index: this.journal.length + 1, ...entry, at });
    this.run = {
      ...{ ...this.run, status, version: expectedVersion + 1, entries: this.journal.length },
      ...(waitingFor ? { waitingFor } : {}),
      ...(result === undefined ? {} : { result }),
      ...(error ? { error } : {}),
      ...(status === 'completed' || status === 'failed' ? { endedAt: at } : {}),
    };
    return structuredClone(this.run);
  }

  #ask({ kind = 'form', title, fields = [], run, arguments: args, payloadSchema }: CreateInteraction): Interaction {
    const id = `i${this.interactions.size + 1}`;
    const asked = {
      ...{ id, threadId: 't', status: 'pending', version: 1, kind, title, fields, votes: [] },
      ...{
        run,
        createdBy: by,
        createdAt: this.#at(),
        ...(args ? { arguments: args } : {}),
        ...(payloadSchema ? { payloadSchema } : {}),
      },
    } as unknown as Interaction;
    this.interactions.set(id, asked);
    this.#event('interaction.created', {});
    return structuredClone(asked);
  }

  #post({ text, blocks, streaming }: PostMessage): Message {
    const id = `m${this.messages.size + 1}`;
    const said = blocks ?? (text === undefined ? [] : [{ type: 'message', payload: { text } }]);
    const state = streaming ? { state: 'streaming' as const } : {};
    const message: Message = { id, threadId: 't', role: 'agent', blocks: said, ...state, by, at: this.#at() };
    this.messages.set(id, message);
    this.#event('message.created', { message });
    return structuredClone(message);
  }

  #endMessage(id: string, end: Pick<Message, 'state'>): Message {
    const { state, ...message } = this.#message(id);
    if (state !== 'streaming') fail('message-not-streaming', 'It has ended.');
    const ended = { ...message, ...end };
    this.messages.set(id, ended);
    this.#event(end.state === 'cancelled' ? 'message.cancelled' : 'message.completed', { message: ended });
    return structuredClone(ended);
  }

  async #once<T extends { id: string }>(key = '', make: () => T, all: Map<string, T>): Promise<T> {
    const made = this.#keys.get(key);
    if (made !== undefined) return structuredClone(all.get(made) as T);
    return this.#write(() => {
      const thing = make();
      this.#keys.set(key, thing.id);
      return thing;
    });
  }

  async #write<T>(change: () => T): Promise<T> {
    const write = ++this.writes;
    const isCrash = this.crashAt?.write === write;
    if (isCrash && !this.crashAt?.isDone) throw new Crash();
    const changed = change();
    if (isCrash) throw new Crash();
    return changed;
  }

  #event(type: LogEvent['type'], data: FreeObject): void {
    const seq = this.log.length + 1;
    const event = { cursor: `${seq}`, threadId: 't', seq, type, at: this.#at(), actor: by, data };
    this.log.push(event as unknown as LogEvent);
  }

  #interaction = (id: string) => this.interactions.get(id) ?? fail('interaction-not-found', 'There is none.');
  #message = (id: string) => this.messages.get(id) ?? fail('message-not-found', 'There is none.');
  #at = () => new Date(this.now).toISOString();
}
