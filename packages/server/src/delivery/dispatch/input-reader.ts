/** Reads the inputs of an org from its log as they are committed, and adds them to the queues of their threads. */
import type { LogEvent } from '@holdpoint/protocol';
import { CoalescedRunner } from '../../coalesced-runner.ts';
import { inputEventTypes, inputReader, isInput } from '../../domain/dispatch/inputs.ts';
import type { Clock } from '../../operations/context.ts';
import type { DocumentChange } from '../../stores/documents.ts';
import type { EventHead } from '../../stores/store.ts';
import { type LeasedJob, Leases, type LeasesOptions } from '../leases.ts';
import { LogReader, type LogReaderOptions } from '../log-reader.ts';

export interface InputReaderOptions extends Pick<LogReaderOptions, 'orgId' | 'store'> {
  /** Resolves when the inputs are saved. */
  enqueueInputs(orgId: string, inputs: readonly LogEvent[]): Promise<void>;
  /** Called each time when all inputs so far have been read. */
  onCaughtUp?(): void;
  onError(error: unknown): void;
}

export class InputReader implements LeasedJob {
  readonly #options: InputReaderOptions;
  readonly #reader: LogReader;
  readonly #runner: CoalescedRunner;

  constructor(options: InputReaderOptions) {
    this.#options = options;
    this.#reader = new LogReader({ ...options, id: inputReader.id, filter: { types: inputEventTypes } });
    this.#runner = new CoalescedRunner({ run: () => this.#readPage(), onError: options.onError });
    this.#runner.trigger();
  }

  /** Called with committed events of the org. */
  notice(heads: readonly EventHead[]): void {
    if (this.#reader.notice(heads)) this.#runner.trigger();
  }

  /** Saves the cursor, so that the next node begins after the inputs that were read here. */
  async stop(): Promise<void> {
    await this.#runner.stop();
    await this.#reader.stop();
  }

  async #readPage(): Promise<number | undefined> {
    const { hasMore } = await this.#reader.read((events, moved) => this.#enqueue(events, moved));
    if (hasMore) return 0;
    if (!this.#runner.isTriggered) this.#options.onCaughtUp?.();
    return undefined;
  }

  /** A crash between the two commits enqueues the same inputs again: at least once. */
  async #enqueue(events: readonly LogEvent[], moved: DocumentChange<'reader'>) {
    const { orgId, store, enqueueInputs } = this.#options;
    // Some are inputs only in threads with an agent; enqueueInputs knows the threads.
    const inputs = events.filter((event) => isInput(event, { hasAgent: true }));
    if (inputs.length === 0) return 'passed';
    await enqueueInputs(orgId, inputs);
    return (await store.commit({ orgId, documents: [moved] })).ok ? 'saved' : 'overtaken';
  }
}

export interface InputReadersOptions extends Omit<InputReaderOptions, 'orgId' | 'onCaughtUp'> {
  store: InputReaderOptions['store'] & LeasesOptions<InputReader>['store'];
  clock: Clock;
}

/** Another node may hold the lease, and it does not report when it has read everything. */
const longestFirstReadMs = 2_000;

/** The input readers of all orgs whose lease this node holds. */
export class InputReaders {
  readonly #firstReads = new Map<string, () => void>();
  readonly #leases: Leases<InputReader>;

  constructor(options: InputReadersOptions) {
    this.#leases = new Leases({
      ...options,
      kind: 'dispatch',
      begin: ({ orgId }) => new InputReader({ ...options, orgId, onCaughtUp: () => this.#firstReads.get(orgId)?.() }),
    });
  }

  /** Called when dispatch has begun in an org. Resolves when its inputs so far have been read, or after two seconds. */
  async firstRead(orgId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#firstReads.set(orgId, resolve);
    const timer = setTimeout(resolve, longestFirstReadMs);
    this.#leases.look();
    await promise;
    clearTimeout(timer);
    this.#firstReads.delete(orgId);
  }

  async stop(): Promise<void> {
    for (const resolve of this.#firstReads.values()) resolve();
    await this.#leases.stop();
  }
}
