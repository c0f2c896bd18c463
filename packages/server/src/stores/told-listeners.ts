/** Those who want to hear what is told. */
import type { Told } from './store.ts';

export class ToldListeners {
  readonly #listeners = new Set<(event: Told) => void>();

  listen(listener: (event: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(event: Told): void {
    for (const listener of this.#listeners) listener(event);
  }
}
