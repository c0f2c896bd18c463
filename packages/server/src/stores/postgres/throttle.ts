/** Runs a task soon after each request, one run at a time, and at most once in a few milliseconds. */
export class Throttle {
  readonly #task: () => Promise<void>;
  readonly #everyMs: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  /** The task must not reject. */
  constructor(everyMs: number, task: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#task = task;
  }

  ask(): void {
    this.#isAsked = true;
    if (this.#running || this.#timer || this.#isStopped) return;
    const waitMs = this.#startedAt + this.#everyMs - performance.now();
    if (waitMs <= 0) this.#start();
    else
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#start();
      }, waitMs);
  }

  /** Stops, after one last run if it was asked for. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    if (this.#isAsked) await this.#task();
  }

  #start(): void {
    this.#isAsked = false;
    this.#startedAt = performance.now();
    this.#running = this.#task().then(() => {
      this.#running = undefined;
      if (this.#isAsked) this.ask();
    });
  }
}
