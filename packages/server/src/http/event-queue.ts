/** Things in the order in which they came, for one reader that takes them one at a time. */

/** A reader that is so far behind will not catch up. */
const maxWaiting = 10_000;

export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #isEnded = false;
  #wake = () => {};

  push(item: T): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(item);
    else this.#isEnded = true;
    this.#wake();
  }

  /** What waits is still handed out. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (true) {
      const item = this.#waiting.shift();
      if (item !== undefined) yield item;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
