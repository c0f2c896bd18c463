/** One import and one await: every verb by its name, and what people do with them most. */
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
import { BlobContent } from './blob-content.ts';
import { httpEvents } from './http-events.ts';
import { httpService } from './http-service.ts';
import { unlessAborted } from './linked-stop.ts';
import type { HttpServiceOptions } from './send.ts';
import type { FollowOptions, Transport } from './transport.ts';
import { waitUntilClosed } from './wait-until-closed.ts';

/** A thread or a question, or the id of one. */
type Ref = string | { readonly id: string };
type Question = Ask<unknown> | CreateInteraction;

export interface AskOptions extends Write, ReadingOptions {
  /** Ends the asking; the question stays, and who asks again under the same idempotency key finds it. */
  signal?: AbortSignal | undefined;
}

export interface WaitOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The time was up before anybody answered. */
export interface StillPending {
  status: 'pending';
  interaction: Interaction;
}

/** Verbs that give a list page by page. */
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

  /** Asks, and comes back when the question is closed, also if that takes days and the server restarts meanwhile. */
  ask<Q extends Question>(
    thread: Ref,
    question: Q,
    options?: AskOptions & { timeoutMs?: undefined },
  ): Promise<Outcome<ValuesOf<Q>>>;
  /** Asks, and comes back when the question is closed or the time is up. It stays open then: `wait` goes on waiting. */
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

  /** Asks whether something may be done; the arguments are as the person left them. */
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

  /** The question once it is closed, or still pending when the time is up. */
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

  /** What happens, as it happens and without a gap, also over lost connections. Ends with the signal, or with the loop. */
  events(options?: FollowOptions & { ephemeral?: false }): AsyncIterable<LogEvent>;
  events(options: FollowOptions): AsyncIterable<LogEvent | EphemeralEvent>;
  events(options: FollowOptions = {}): AsyncIterable<LogEvent | EphemeralEvent> {
    return this.#events(options);
  }

  /** Every item of a list, page by page: `for await (const one of hp.every('listInteractions', { status: 'pending' }))`. */
  async *every<V extends ListVerb>(
    verb: V,
    ...[input]: Record<never, never> extends InputOf<V> ? [InputOf<V>?] : [InputOf<V>]
  ): AsyncGenerator<ItemOf<V>> {
    const list = this[verb] as unknown as (input: object) => Promise<Page<ItemOf<V>>>;
    for (let place = {}; ; ) {
      const { data, next } = await list({ ...input, ...place });
      yield* data;
      if (next === undefined) return;
      // A log and a journal are read by the numbers in them.
      place = verb.startsWith('read') ? { after: Number(next) } : { cursor: next };
    }
  }

  /** Takes a file for a field, and gives what an answer carries as its value. */
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
