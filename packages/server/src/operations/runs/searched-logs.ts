/**
 * Remembers how far the log of a thread was searched in vain. The next search continues there instead of reading
 * thousands of events again. The log only grows, so the searched part stays without a match.
 */

/** A shorter search is repeated: it costs one page, and most threads need no longer one. */
const shortest = 200;
/** About 200 bytes each. */
const maxLogs = 10_000;

interface Searched {
  from: number;
  upTo: number;
}

export class SearchedLogs {
  readonly #logs = new Map<string, Searched>();

  /** Returns the place after which a search from the given place continues. */
  continueAfter(log: string, from: number): number {
    const known = this.#logs.get(log);
    return known && known.from <= from ? Math.max(from, known.upTo) : from;
  }

  /** Nothing was found after `from` and up to `upTo`. */
  note(log: string, { from, upTo }: Searched): void {
    if (upTo - from < shortest) return;
    this.#logs.delete(log);
    this.#logs.set(log, { from, upTo });
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > maxLogs && oldest !== undefined) this.#logs.delete(oldest);
  }
}
