/** One that waits in memory until what it looks at is settled: ten thousand may wait at once, so each is one small object. */
import { HoldpointError, limits, type StopSignal } from '@holdpoint/protocol';
import type { Context, Waiter } from './context.ts';

const defaultWaitMs = 30_000;
const awayMs = 250;

export interface WaitOptions {
  timeoutMs?: number;
  signal?: StopSignal;
}

/** No suspended function, and what it looks at is up to who extends it. */
export abstract class Wait<T> implements Waiter {
  protected readonly context: Context;
  #signal: StopSignal | undefined;
  #resolve: (value: T) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  readonly #end = () => this.end();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #hasChanged = false;
  #hasBegun = false;
  #isOver = false;

  constructor(context: Context) {
    this.context = context;
  }

  /** Nobody waits any longer; a long look may end early. */
  protected get isOver(): boolean {
    return this.#isOver;
  }

  /** What it hears of. */
  protected abstract topic(): string;
  protected abstract load(): Promise<T>;
  protected abstract isSettled(value: T): boolean;

  result(options: WaitOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#start(options);
    });
  }

  /** Listens before it looks, so that what lands in between is not missed. */
  #start({ timeoutMs = defaultWaitMs, signal }: WaitOptions): void {
    this.#signal = signal;
    this.context.waits.add(this.topic(), this);
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
    this.load().then(
      (value) => this.#judge(value),
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

  #judge(value: T): void {
    this.#isLooking = false;
    this.#hasBegun = true;
    const isSettled = this.isSettled(value);
    if (!isSettled && this.#hasChanged) this.#look();
    else if (isSettled || this.#isOver) {
      this.#stop();
      this.#resolve(value);
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#isLooking = true;
    this.#signal?.removeEventListener('abort', this.#end);
    this.context.waits.remove(this.topic(), this);
  }
}
