/** Wakes one who sleeps; a nudge that comes while nobody sleeps is kept for the next. */
export class Nudge {
  #isGiven = false;
  #wake: (() => void) | undefined;

  give(): void {
    this.#isGiven = true;
    this.#wake?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isGiven) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    this.#isGiven = false;
  }
}
