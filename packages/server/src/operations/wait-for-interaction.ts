import { HoldpointError, type Interaction, limits, type StopSignal } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context, Waiter } from './context.ts';
import { loadInteraction } from './load.ts';
import { authorize } from './perform.ts';

const defaultWaitMs = 30_000;
const awayMs = 250;

export interface WaitInput {
  interactionId: string;
  timeoutMs?: number;
  signal?: StopSignal;
}

export function waitForInteraction(context: Context, caller: Caller, input: WaitInput): Promise<Interaction> {
  authorize(caller, 'waitForInteraction');
  return new Promise((resolve, reject) => new Wait(context, caller, input, resolve, reject).start());
}

/** One small object for each that waits, and no suspended function: ten thousand may wait at once. */
class Wait implements Waiter {
  readonly #context: Context;
  readonly #caller: Caller;
  readonly #input: WaitInput;
  readonly #resolve: (interaction: Interaction) => void;
  readonly #reject: (error: unknown) => void;
  readonly #end = () => this.end();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #hasChanged = false;
  #hasBegun = false;
  #isOver = false;

  constructor(
    context: Context,
    caller: Caller,
    input: WaitInput,
    resolve: (interaction: Interaction) => void,
    reject: (error: unknown) => void,
  ) {
    this.#context = context;
    this.#caller = caller;
    this.#input = input;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Listens before it looks, so that an answer that lands in between is not missed. */
  start(): void {
    const { interactionId, timeoutMs = defaultWaitMs, signal } = this.#input;
    this.#context.waits.add(interactionId, this);
    this.#timer = setTimeout(this.#end, Math.min(timeoutMs, limits.waitMs));
    signal?.addEventListener('abort', this.#end);
    this.#isOver ||= signal?.aborted ?? false;
    this.#look();
  }

  change(): void {
    this.#hasChanged = true;
    this.#look();
  }

  /** The time is up, the caller is gone or the server is stopping: what is true now is the answer. */
  end(): void {
    this.#isOver = true;
    this.#look();
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#hasChanged = false;
    loadInteraction(this.#context, this.#caller, this.#input.interactionId).then(
      (interaction) => this.#judge(interaction),
      (error) => this.#failed(error),
    );
  }

  /** A store that is away for a moment does not end a wait that has begun, unless its time is up. */
  #failed(error: unknown): void {
    const isAway = error instanceof HoldpointError && error.code === 'storage-unavailable';
    if (isAway && this.#hasBegun && !this.#isOver) {
      this.#isLooking = false;
      setTimeout(() => this.#look(), awayMs);
    } else {
      this.#stop();
      this.#reject(error);
    }
  }

  #judge(interaction: Interaction): void {
    this.#isLooking = false;
    this.#hasBegun = true;
    const isPending = interaction.status === 'pending';
    if (isPending && this.#hasChanged) this.#look();
    else if (!isPending || this.#isOver) {
      this.#stop();
      this.#resolve(interaction);
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#isLooking = true;
    this.#input.signal?.removeEventListener('abort', this.#end);
    this.#context.waits.remove(this.#input.interactionId, this);
  }
}
