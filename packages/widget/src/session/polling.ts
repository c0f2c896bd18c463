/** Polls again and again: soon after something happened, and less and less often while nothing does. */

export class Polling {
  readonly #firstPauseMs: number;
  #pauseMs: number;
  #isDue = false;
  #endPause: (() => void) | undefined;

  constructor(firstPauseMs: number) {
    this.#firstPauseMs = firstPauseMs;
    this.#pauseMs = firstPauseMs;
  }

  /** `poll` returns the longest pause until the next poll, or undefined to pause until `wakeUp`. */
  async run(poll: () => Promise<number | undefined>, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wakeUp());
    while (!signal.aborted) {
      const longestMs = await poll();
      if (signal.aborted) return;
      await this.#pause(longestMs === undefined ? undefined : Math.min(this.#pauseMs, longestMs));
      this.#pauseMs *= 1.5;
    }
  }

  /** Polls at once. */
  wakeUp(): void {
    this.#pauseMs = this.#firstPauseMs;
    this.#isDue = true;
    this.#endPause?.();
  }

  async #pause(ms: number | undefined): Promise<void> {
    if (!this.#isDue)
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        this.#endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#isDue = false;
  }
}
