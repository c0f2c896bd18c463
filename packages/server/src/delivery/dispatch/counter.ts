/** The claims on this node for the lanes of one agent of one org, or of none. One look at the store serves all of them, so that a crowd asks it no more than one. */
import { longestWaitMs } from '../../domain/dispatch/lane.ts';
import type { Clock } from '../../operations/context.ts';
import type { Claim, Store, TimerKind } from '../../stores/store.ts';
import type { WaitingClaim } from './waiting-claim.ts';

const longestSleepMs = 1_000;
/** A node that dies between finding a lane and leasing it gives it back after this time. */
const claimMs = 5_000;
const mostAtOnce = 200;

export interface CounterOptions {
  orgId: string;
  /** Of the timers of its lanes. */
  kind: TimerKind;
  store: Pick<Store, 'claimDue' | 'moveClaims' | 'nextDueAt'>;
  clock: Clock;
  onError(error: unknown): void;
}

export class Counter {
  readonly #options: CounterOptions;
  readonly #claims = new Set<WaitingClaim>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isStale = false;

  constructor(options: CounterOptions) {
    this.#options = options;
  }

  admit(claim: WaitingClaim): void {
    this.#claims.add(claim);
    claim.waitsAt(this);
    this.lookSoon();
  }

  dismiss(claim: WaitingClaim): void {
    this.#claims.delete(claim);
    if (this.isEmpty()) clearTimeout(this.#timer);
  }

  isEmpty(): boolean {
    return this.#claims.size === 0;
  }

  close(): void {
    for (const claim of this.#claims) claim.end();
  }

  /** Many commits and many claims in one turn of the event loop ask for one look. */
  lookSoon(): void {
    this.#isStale = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    clearTimeout(this.#timer);
    setImmediate(() => void this.#lookOn());
  }

  async #lookOn(): Promise<void> {
    let sleepMs = 0;
    while (this.#isStale && !this.isEmpty()) {
      this.#isStale = false;
      sleepMs = await this.#look();
    }
    this.#isLooking = false;
    if (!this.isEmpty()) this.#timer = setTimeout(() => this.lookSoon(), sleepMs);
  }

  /** Hands out what is due, and says how long to sleep. */
  async #look(): Promise<number> {
    const { orgId, kind, store, clock, onError } = this.#options;
    const asking = this.#ready();
    const limit = Math.min(
      mostAtOnce,
      asking.reduce((sum, claim) => sum + claim.limit, 0),
    );
    // Who is being served comes back by itself.
    if (limit === 0) return longestSleepMs;
    try {
      const now = clock.now();
      const due = await store.claimDue({ kind, orgId, now, limit, forMs: claimMs, longestMs: longestWaitMs });
      await this.#hand(due);
      if (due.length === limit) return 0;
      const nextAt = await store.nextDueAt({ kind, orgId });
      return nextAt === undefined ? longestSleepMs : Math.min(Math.max(nextAt - clock.now(), 1), longestSleepMs);
    } catch (error) {
      onError(error);
      return longestSleepMs;
    } finally {
      for (const claim of asking) claim.wasLookedFor(this);
    }
  }

  #ready(): WaitingClaim[] {
    return [...this.#claims].filter((claim) => claim.isReady());
  }

  async #hand(lanes: readonly Claim[]): Promise<void> {
    const turns = inTurns(this.#ready(), lanes.length);
    const shares = Map.groupBy(lanes, (_lane, index) => turns[index]);
    for (const [claim, share] of shares) {
      if (claim) claim.serve(share);
      // Those they were found for have gone meanwhile.
      else await this.#options.store.moveClaims({ claims: share, until: this.#options.clock.now() });
    }
  }
}

/** Whose turn it is, again and again: one for each, then another for those who take more. */
function inTurns(claims: readonly WaitingClaim[], count: number): WaitingClaim[] {
  const turns: WaitingClaim[] = [];
  for (let round = 0; turns.length < count; round++) {
    const taking = claims.filter(({ limit }) => limit > round);
    if (taking.length === 0) break;
    turns.push(...taking);
  }
  return turns;
}
