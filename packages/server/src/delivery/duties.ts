/**
 * Work that one node at a time does for as long as there is a timer for it, such as sending to a webhook. A node takes a
 * duty on by claiming its timer, and keeps it by moving the claim on; if it dies, the claim ends and another node begins.
 */
import { clockSkewMs } from '../domain/clock-skew.ts';
import type { Clock } from '../operations/context.ts';
import type { Claim, Store, TimerKind } from '../stores/store.ts';

const batch = 100;
const lookMs = 1_000;
const renewMs = 2_000;
/** So long after its last sign of life the duties of a node fall to others. */
export const holdMs = 6_000;
/** Latest end of a claim from now, by the clocks of other nodes, which may be minutes apart. */
const longestMs = holdMs + clockSkewMs;

export interface Duty {
  /** Begins nothing more; resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface DutiesOptions {
  store: Pick<Store, 'claimDue' | 'moveClaims'>;
  clock: Clock;
  kind: TimerKind;
  /** Called once for each turn at a duty, never while the one before is still stopping. */
  begin(claim: Claim): Duty;
  onError(error: unknown): void;
}

interface Held {
  claim: Claim;
  duty: Duty;
  /** By the monotonic clock: from then on another node may have it. */
  endsAt: number;
}

export class Duties {
  readonly #options: DutiesOptions;
  readonly #held = new Map<string, Held>();
  readonly #stopping = new Map<string, Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  #running: Promise<void> | undefined;
  #isStale = false;
  #isStopped = false;

  constructor(options: DutiesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#dropEnded();
      this.look();
    }, lookMs);
    this.look();
  }

  /** Looks now for duties that nobody does, and soon afterwards if it is looking already. */
  look(): void {
    if (this.#isStopped) return;
    this.#isStale = this.#running !== undefined;
    this.#running ??= this.#turn().finally(() => {
      this.#running = undefined;
      if (this.#isStale) this.look();
    });
  }

  /** Stops every duty, then gives the claims back, so that other nodes need not wait for their end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
    const claims = [...this.#held.values()].map(({ claim }) => claim);
    for (const key of [...this.#held.keys()]) this.#drop(key);
    await Promise.all(this.#stopping.values());
    if (claims.length > 0) await this.#try(() => this.#move(claims, this.#options.clock.now()));
  }

  async #turn(): Promise<void> {
    if (this.#isRenewalDue()) await this.#try(() => this.#renew());
    if (!this.#isStopped) await this.#try(() => this.#claim());
  }

  /** Checks the monotonic clock, and also the wall clock in case it has jumped ahead or back. */
  #isRenewalDue(): boolean {
    const now = this.#options.clock.now();
    if (performance.now() - this.#renewedAt >= renewMs) return true;
    return [...this.#held.values()].some(
      ({ claim: { until } }) => until - now <= holdMs - renewMs || until - now > holdMs,
    );
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    const asked = [...this.#held];
    if (asked.length > 0) {
      const until = this.#options.clock.now() + holdMs;
      const claims = asked.map(([, { claim }]) => claim);
      const kept = new Map((await this.#move(claims, until)).map((claim) => [keyOf(claim), claim]));
      for (const [key, held] of asked) {
        const claim = kept.get(key);
        if (claim) Object.assign(held, { claim, endsAt: startedAt + holdMs });
        else if (this.#held.get(key) === held) this.#drop(key);
      }
    }
    this.#renewedAt = startedAt;
  }

  async #claim(): Promise<void> {
    const { store, clock, kind } = this.#options;
    while (!this.#isStopped) {
      const startedAt = performance.now();
      const claims = await store.claimDue({ kind, now: clock.now(), limit: batch, forMs: holdMs, longestMs });
      for (const claim of claims) {
        const key = keyOf(claim);
        // Ours was lost without our knowledge, or somebody has moved its timer.
        if (this.#held.has(key)) this.#drop(key);
        this.#held.set(key, { claim, duty: this.#begin(claim), endsAt: startedAt + holdMs });
      }
      if (claims.length < batch) return;
    }
  }

  /** When the one before it has stopped, which may take seconds in which others are to be kept; unless it is to stop before. */
  #begin(claim: Claim): Duty {
    const { begin } = this.#options;
    const stopping = this.#stopping.get(keyOf(claim));
    if (!stopping) return begin(claim);
    let isStopped = false;
    const begun = stopping.then(() => (isStopped ? undefined : begin(claim)));
    return {
      stop: async () => {
        isStopped = true;
        await (await begun)?.stop();
      },
    };
  }

  #move(claims: readonly Claim[], until: number): Promise<Claim[]> {
    return this.#options.store.moveClaims({ claims, until });
  }

  /** What could not be kept in time, because the store was away, may be another's by now. */
  #dropEnded(): void {
    for (const [key, { endsAt }] of [...this.#held]) if (performance.now() >= endsAt) this.#drop(key);
  }

  #drop(key: string): void {
    const held = this.#held.get(key);
    if (!held) return;
    this.#held.delete(key);
    const stopped = held.duty
      .stop()
      .catch((error: unknown) => this.#options.onError(error))
      .then(() => {
        if (this.#stopping.get(key) === stopped) this.#stopping.delete(key);
      });
    this.#stopping.set(key, stopped);
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

const keyOf = ({ orgId, id }: Claim): string => JSON.stringify([orgId, id]);
