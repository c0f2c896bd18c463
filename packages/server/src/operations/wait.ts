/** A wait in memory until a record is settled. Ten thousand may wait at once, so each is one small object. */
import { hasCode, limits, type StopSignal } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context, Waiter } from './context.ts';

const defaultWaitMs = 30_000;
const awayMs = 250;

interface WaitOptions {
  timeoutMs?: number;
  signal?: StopSignal;
}

/** Holds no suspended function. A subclass loads the record. */
export abstract class Wait<T> implements Waiter {
  protected readonly context: Context;
  protected readonly caller: Caller;
  /** The id of the record. */
  protected readonly id: string;
  #signal: StopSignal | undefined;
  #resolve: (value: T) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  readonly #end = () => this.end();
  #timer: NodeJS.Timeout | undefined;
  #isLoading = false;
  #hasChanged = false;
  #hasBegun = false;
  #isOver = false;

  constructor(context: Context, caller: Caller, id: string) {
    this.context = context;
    this.caller = caller;
    this.id = id;
  }

  /** True if the caller waits no longer. A long load may end early. */
  protected get isOver(): boolean {
    return this.#isOver;
  }

  /** The topic whose changes settle the record. */
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

  /** Listens before it loads, so that it misses no change in between. */
  #start({ timeoutMs = defaultWaitMs, signal }: WaitOptions): void {
    this.#signal = signal;
    this.context.waits.add(this.topic(), this);
    this.#timer = setTimeout(this.#end, Math.min(timeoutMs, limits.waitMs));
    signal?.addEventListener('abort', this.#end);
    this.#isOver ||= signal?.aborted ?? false;
    this.#load();
  }

  change(): void {
    this.#hasChanged = true;
    this.#load();
  }

  /** The time is up, the caller is gone or the server is stopping: the current record is the result. */
  end(): void {
    this.#isOver = true;
    this.#load();
  }

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#hasChanged = false;
    this.load().then(
      (value) => this.#judge(value),
      (error) => this.#failed(error),
    );
  }

  /** A store that is unavailable for a moment does not end a wait that has begun, unless its time is up. */
  #failed(error: unknown): void {
    const isAway = hasCode(error, 'storage-unavailable');
    if (isAway && this.#hasBegun && !this.#isOver) {
      this.#isLoading = false;
      setTimeout(() => this.#load(), awayMs);
    } else {
      this.#stop();
      this.#reject(error);
    }
  }

  #judge(value: T): void {
    this.#isLoading = false;
    this.#hasBegun = true;
    const isSettled = this.isSettled(value);
    if (!isSettled && this.#hasChanged) this.#load();
    else if (isSettled || this.#isOver) {
      this.#stop();
      this.#resolve(value);
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#isLoading = true;
    this.#signal?.removeEventListener('abort', this.#end);
    this.context.waits.remove(this.topic(), this);
  }
}
