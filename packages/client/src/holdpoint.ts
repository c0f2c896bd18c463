/** The client: every verb by its name, and methods for the most common tasks. */
import {
  type Approval,
  type ApprovalAsk,
  type ApprovalOptions,
  type Ask,
  approval,
  approvalOf,
  type CreateInteraction,
  defined,
  type EphemeralEvent,
  type FileRef,
  type FreeObject,
  type HoldpointService,
  type Interaction,
  type LogEvent,
  type Outcome,
  outcomeOf,
  type Page,
  type ReadingOptions,
  type SubmitAnswer,
  type ValuesOf,
  type Write,
} from '@holdpoint/protocol';
import { BlobContent } from './files.ts';
import { type FollowOptions, httpEvents, type Transport } from './http-events.ts';
import { httpService } from './http-service.ts';
import { unlessAborted } from './linked-stop.ts';
import type { HttpServiceOptions } from './request.ts';
import { waitUntilClosed } from './wait-until-closed.ts';

/** A thread or a question, or the id of one. */
type Ref = string | { readonly id: string };
type Question = Ask<unknown> | CreateInteraction;

export interface AskOptions extends Write, ReadingOptions {
  /** Stops waiting. The question stays open: ask again with the same idempotency key to find it. */
  signal?: AbortSignal | undefined;
}

export interface WaitOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Nobody answered within the time. */
export interface StillPending {
  status: 'pending';
  interaction: Interaction;
}

/** Verbs that return a list page by page. */
type ListVerb = {
  [V in keyof HoldpointService]: ReturnType<HoldpointService[V]> extends Promise<Page<unknown>> ? V : never;
}[keyof HoldpointService];
type ItemOf<V extends ListVerb> = Awaited<ReturnType<HoldpointService[V]>>['data'][number];
/** Omits the start and the offset, because `every` reads all pages, also short and empty ones (L20). */
type InputOf<V extends ListVerb> = Omit<Parameters<HoldpointService[V]>[0], 'cursor' | 'after' | 'offset'>;

export interface Holdpoint extends HoldpointService {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor gives it every verb.
export class Holdpoint {
  readonly #events: Transport['events'];

  constructor(at: HttpServiceOptions | Transport) {
    const { service, events } = 'service' in at ? at : { service: httpService(at), events: httpEvents(at) };
    Object.assign(this, service);
    this.#events = events;
  }

  /** Asks, and returns when the question closes, also if that takes days and the server restarts in between. */
  ask<Q extends Question>(
    thread: Ref,
    question: Q,
    options?: AskOptions & { timeoutMs?: undefined },
  ): Promise<Outcome<ValuesOf<Q>>>;
  /** Asks, and returns when the question closes or the time is up. Then the question stays open: `wait` continues. */
  ask<Q extends Question>(
    thread: Ref,
    question: Q,
    options: AskOptions & { timeoutMs?: number | undefined },
  ): Promise<Outcome<ValuesOf<Q>> | StillPending>;
  async ask<Q extends Question>(
    thread: Ref,
    question: Q,
    options: AskOptions & { timeoutMs?: number | undefined } = {},
  ): Promise<Outcome<ValuesOf<Q>> | StillPending> {
    const { timeoutMs, signal, countDeadlineAsApproval: _, ...write } = options;
    const asked = await unlessAborted(signal, () => this.create(thread, question, write));
    const interaction = await this.wait(asked, options);
    return interaction.status === 'pending' ? { status: 'pending', interaction } : outcomeOf(interaction, options);
  }

  /** Asks for approval of an action. The result has the arguments as the person left them. */
  async approve<A extends object = FreeObject>(
    thread: Ref,
    question: ApprovalAsk<A>,
    options: AskOptions = {},
  ): Promise<Approval<A>> {
    const asked = approval(question as ApprovalOptions<string, Record<never, never>>);
    return approvalOf<A>((await this.ask(thread, asked, { ...options, timeoutMs: undefined })) as Outcome<FreeObject>);
  }

  /** Asks without waiting. */
  create(thread: Ref, question: Question, write: Write = {}): Promise<Interaction> {
    return this.createInteraction({ threadId: idOf(thread), ...(question as CreateInteraction), ...write });
  }

  get(interaction: Ref): Promise<Interaction> {
    return this.getInteraction({ interactionId: idOf(interaction) });
  }

  /** Returns the question when it closes, or still pending when the time is up. */
  async wait(interaction: Ref | Interaction, options: WaitOptions = {}): Promise<Interaction> {
    const { signal } = options;
    const known = isRecord(interaction) ? interaction : await unlessAborted(signal, () => this.get(interaction));
    const latest = await waitUntilClosed(this, known, options);
    if (latest.status === 'pending') signal?.throwIfAborted();
    return latest;
  }

  answer(interaction: Ref, values: FreeObject, more: Omit<SubmitAnswer, 'values'> & Write = {}): Promise<Interaction> {
    return this.submitAnswer({ interactionId: idOf(interaction), values, ...more });
  }

  decline(interaction: Ref, reason?: string, write: Write = {}): Promise<Interaction> {
    return this.declineInteraction(closing(interaction, reason, write));
  }

  cancel(interaction: Ref, reason?: string, write: Write = {}): Promise<Interaction> {
    return this.cancelInteraction(closing(interaction, reason, write));
  }

  /** Yields events as they happen, without a gap, also over lost connections. Ends with the signal or the loop. */
  events(options?: FollowOptions & { ephemeral?: false }): AsyncIterable<LogEvent>;
  events(options: FollowOptions): AsyncIterable<LogEvent | EphemeralEvent>;
  events(options: FollowOptions = {}): AsyncIterable<LogEvent | EphemeralEvent> {
    return this.#events(options);
  }

  /** Yields every item of a list, page by page: `for await (const one of hp.every('listInteractions', { status: 'pending' }))`. */
  async *every<V extends ListVerb>(
    verb: V,
    ...[input]: Record<never, never> extends InputOf<V> ? [InputOf<V>?] : [InputOf<V>]
  ): AsyncGenerator<ItemOf<V>> {
    const list = this[verb] as unknown as (input: object) => Promise<Page<ItemOf<V>>>;
    for (let position = {}; ; ) {
      const { data, next } = await list({ ...input, ...position });
      yield* data;
      if (next === undefined) return;
      // A log and a journal are read by their numbers.
      position = verb.startsWith('read') ? { after: Number(next) } : { cursor: next };
    }
  }

  /** Uploads a file for a field, and returns the value of the field for an answer. */
  upload(interaction: Ref, field: string, file: Blob & { readonly name?: string }): Promise<FileRef> {
    const { name = field, type, size: announcedBytes } = file;
    const said = { field, name, announcedBytes, ...defined({ mime: type || undefined }) };
    return this.uploadFile({ interactionId: idOf(interaction), ...said, content: new BlobContent(file) });
  }
}

const idOf = (ref: Ref): string => (typeof ref === 'string' ? ref : ref.id);
const isRecord = (given: Ref | Interaction): given is Interaction => 'status' in Object(given);
const closing = (interaction: Ref, reason: string | undefined, write: Write) =>
  ({ interactionId: idOf(interaction), reason, ...write }) as { interactionId: string };
