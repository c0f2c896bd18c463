/** Runs a job whenever it is triggered, one run at a time. Triggers during a run cause one more run, however many there are. */
export interface CoalescedJob {
  /** Returns after how many milliseconds to run again without a trigger. Undefined: only when triggered. */
  run(): Promise<number | undefined>;
  /** Gets the error of a failed run. The next run starts `retryMs` later, and no trigger makes it start earlier. */
  onError(error: unknown): void;
  retryMs?: number;
  /** Shortest time between the starts of two runs. */
  everyMs?: number;
}

const defaultRetryMs = 1_000;

export class CoalescedRunner {
  readonly #job: CoalescedJob;
  #isTriggered = false;
  /** The next run is scheduled at its earliest time, so a trigger has nothing to do. */
  #isStarting = false;
  #isStopped = false;
  /** By the monotonic clock. */
  #earliestStart = 0;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(job: CoalescedJob) {
    this.#job = job;
  }

  /** Runs the job in the next turn of the event loop, so that one run serves all triggers of this turn. */
  trigger(): void {
    this.#isTriggered = true;
    if (this.#isStarting || this.#running || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#startSoon();
  }

  /** Reports whether another run follows the current one at once. */
  get isTriggered(): boolean {
    return this.#isTriggered;
  }

  /** Reports whether no run is under way or about to start. */
  get isIdle(): boolean {
    return !this.#running && !this.#isStarting;
  }

  /** Starts no further run. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearImmediate(this.#immediate);
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Stops, after one last run if it was triggered before. */
  async finish(): Promise<void> {
    await this.stop();
    if (this.#isTriggered) await this.#runOnce();
  }

  #startSoon(): void {
    this.#isStarting = true;
    const waitMs = this.#earliestStart - performance.now();
    if (waitMs > 0) this.#timer = setTimeout(() => this.#start(), waitMs);
    else this.#immediate = setImmediate(() => this.#start());
  }

  #start(): void {
    this.#isStarting = false;
    this.#earliestStart = performance.now() + (this.#job.everyMs ?? 0);
    this.#running = this.#runOnce().then((sleepMs) => {
      this.#running = undefined;
      if (this.#isStopped) return;
      if (this.#isTriggered || sleepMs === 0) this.#startSoon();
      else if (sleepMs !== undefined) this.#timer = setTimeout(() => this.#start(), sleepMs);
    });
  }

  async #runOnce(): Promise<number | undefined> {
    this.#isTriggered = false;
    try {
      return await this.#job.run();
    } catch (error) {
      this.#job.onError(error);
      this.#isTriggered = true;
      this.#earliestStart = performance.now() + (this.#job.retryMs ?? defaultRetryMs);
      return undefined;
    }
  }
}
