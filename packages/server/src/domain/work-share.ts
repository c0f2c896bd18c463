/**
 * Limits the share of time for which one org may keep a shared worker busy. Turns alone do not protect the others: on a
 * machine with few cores, an org that always has another read waiting takes processor time from all other calls.
 */
export interface WorkShareOptions {
  /** Share of the time, from 0 to 1. */
  share: number;
  /** Work that an org may do at once after it was idle, so that ordinary use never waits. */
  burstMs: number;
}

interface Credit {
  ms: number;
  /** Time by the caller's clock, in milliseconds. */
  at: number;
}

/** With more orgs than this, those whose burst is full again are forgotten. */
const manyOrgs = 1_000;

export class WorkShare {
  readonly #options: WorkShareOptions;
  /** Orgs that worked recently. Every other org has its full burst. */
  readonly #credits = new Map<string, Credit>();

  constructor(options: WorkShareOptions) {
    this.#options = options;
  }

  /** Returns how long the org must wait before its next piece of work. */
  restMs(orgId: string, now: number): number {
    return Math.max(0, -this.#creditOf(orgId, now) / this.#options.share);
  }

  /**
   * Records that a piece of work for the org took this long. A very long one, as on a slow disk, counts as one burst.
   */
  spend(orgId: string, ms: number, now: number): void {
    const spent = Math.min(ms, this.#options.burstMs);
    this.#credits.set(orgId, { ms: this.#creditOf(orgId, now) - spent, at: now });
    if (this.#credits.size <= manyOrgs) return;
    for (const each of this.#credits.keys())
      if (this.#creditOf(each, now) >= this.#options.burstMs) this.#credits.delete(each);
  }

  /** Number of orgs that are remembered. */
  get size(): number {
    return this.#credits.size;
  }

  #creditOf(orgId: string, now: number): number {
    const { share, burstMs } = this.#options;
    const credit = this.#credits.get(orgId);
    return credit ? Math.min(burstMs, credit.ms + (now - credit.at) * share) : burstMs;
  }
}
