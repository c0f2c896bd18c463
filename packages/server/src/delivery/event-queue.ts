/** Things in the order in which they came, for one reader that takes them one at a time. */

/** A reader that is so far behind will not catch up. */
const maxWaiting = 10_000;
const maxWaitingBytes = 16 * 1024 * 1024;
/** As many wait before who reads them out of the log waits, too. */
const ampleWaiting = 1_000;
const ampleBytes = 1024 * 1024;

export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: { item: T; bytes: number }[] = [];
  #bytes = 0;
  #isEnded = false;
  #wake = () => {};
  #makeRoom = () => {};

  push(item: T, bytes: number): void {
    // After one that had no room nothing may follow: it would be missing in between.
    if (this.#isEnded) return;
    if (this.#waiting.length < maxWaiting && this.#bytes + bytes <= maxWaitingBytes) {
      this.#waiting.push({ item, bytes });
      this.#bytes += bytes;
    } else this.#isEnded = true;
    this.#wake();
  }

  /** What waits is still handed out. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
    this.#makeRoom();
  }

  /** Resolves when more may come. Rejects where nobody takes any more. */
  async room(): Promise<void> {
    while (!this.#isEnded && (this.#waiting.length > ampleWaiting || this.#bytes > ampleBytes))
      await new Promise<void>((resolve) => (this.#makeRoom = resolve));
    if (this.#isEnded) throw new Error('the reader is gone');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (true) {
      const first = this.#waiting.shift();
      if (first) {
        this.#bytes -= first.bytes;
        this.#makeRoom();
        yield first.item;
      } else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
