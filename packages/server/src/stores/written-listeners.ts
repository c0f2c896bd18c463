/** Those who want to know that something was written; what a turn of the event loop brings is told once. */
export class WrittenListeners {
  readonly #listeners = new Set<() => void>();
  #isTelling = false;

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    if (this.#isTelling || this.#listeners.size === 0) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
