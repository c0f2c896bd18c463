/** The listeners to one kind of message. */
export class Listeners<T> {
  readonly #listeners = new Set<(message: T) => void>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  listen(listener: (message: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(message: T): void {
    for (const listener of this.#listeners) listener(message);
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
