/** The listeners of one kind of news. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  listen(listener: (news: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(news: T): void {
    for (const listener of this.#listeners) listener(news);
  }
}

/** Calls the listeners once for all writes of one turn of the event loop. */
export class WriteListeners extends Listeners<void> {
  #isScheduled = false;

  override publish(): void {
    if (this.#isScheduled || this.isEmpty) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      super.publish();
    });
  }
}
