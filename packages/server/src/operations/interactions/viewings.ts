/** The reports of viewers that this node published last, so that a repeated report is published only now and then. */

/** A reader that connects learns within this time who is viewing, because pages repeat their reports. */
const repeatMs = 5_000;
/** About 200 bytes each. */
const maxViewings = 10_000;

export class Viewings {
  readonly #last = new Map<string, { isViewing: boolean; at: number }>();

  /** Reports whether this differs from the last report of this viewer, or that one is old. */
  isNews(viewer: string, isViewing: boolean, now: number): boolean {
    const last = this.#last.get(viewer);
    // The clock may have been set back.
    const age = last ? Math.abs(now - last.at) : Number.POSITIVE_INFINITY;
    const isRepeated = last?.isViewing === isViewing && age < repeatMs;
    // A page that switches to and fro publishes at most one change in a tenth of a second.
    if (isRepeated || age < repeatMs / 50) return false;
    this.#last.delete(viewer);
    this.#last.set(viewer, { isViewing, at: now });
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxViewings && oldest !== undefined) this.#last.delete(oldest);
    return true;
  }
}
