/**
 * Leases: jobs that one node does at a time, as long as there is a timer for them, such as sending to a webhook. A node takes
 * a lease by claiming its timer, and keeps it by extending the claim. If the node dies, the claim ends and another node begins.
 */
import { CoalescedRunner } from '../coalesced-runner.ts';
import { clockSkewMs } from '../domain/state.ts';
import type { Clock } from '../operations/context.ts';
import type { Claim, EventHead, Store, TimerKind } from '../stores/store.ts';

const batch = 100;
const lookMs = 1_000;
const renewMs = 2_000;
/** After this time without a renewal, other nodes take over the leases of a node. */
export const leaseMs = 6_000;
/** Latest end of a claim from now, by the clocks of other nodes, which may be minutes apart. */
const longestMs = leaseMs + clockSkewMs;

/** The job that a node does while it holds a lease. */
export interface LeasedJob {
  /** Called with committed events of the org. */
  notice(heads: readonly EventHead[]): void;
  /** Begins nothing more. Resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface LeasesOptions<Job> {
  store: Pick<Store, 'claimDue' | 'moveClaims' | 'onCommitted'>;
  clock: Clock;
  kind: TimerKind;
  /** Called each time this node takes a lease, never while the job of its previous turn is still stopping. */
  begin(claim: Claim): Job;
  onError(error: unknown): void;
}

interface HeldLease {
  claim: Claim;
  job: Pick<LeasedJob, 'stop'>;
  /** After this time of the monotonic clock another node may hold the lease. */
  endsAt: number;
}

export class Leases<Job extends LeasedJob> {
  /** The jobs of all held leases, by org. */
  readonly jobs = new Map<string, Set<Job>>();
  readonly #options: LeasesOptions<Job>;
  readonly #held = new Map<string, HeldLease>();
  readonly #stopping = new Map<string, Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  readonly #runner: CoalescedRunner;
  readonly #unsubscribe: () => void;
  #renewedAt = performance.now();
  #isStopped = false;

  constructor(options: LeasesOptions<Job>) {
    this.#options = options;
    this.#unsubscribe = options.store.onCommitted((heads) => {
      if (this.jobs.size === 0) return;
      for (const [orgId, ofOrg] of Map.groupBy(heads, (head) => head.orgId))
        for (const job of this.jobs.get(orgId) ?? []) job.notice(ofOrg);
    });
    this.#runner = new CoalescedRunner({ run: () => this.#turn(), onError: options.onError });
    // Not a part of the run, because leases must end in time even if a call of the store hangs.
    this.#timer = setInterval(() => {
      // Another node may hold a lease that could not be renewed in time because the store was away.
      for (const [key, { endsAt }] of [...this.#held]) if (performance.now() >= endsAt) this.#drop(key);
      this.look();
    }, lookMs);
    this.look();
  }

  /** Looks now for leases that no node holds. */
  look(): void {
    this.#runner.trigger();
  }

  /** Stops every job, then gives the claims back, so that other nodes need not wait for their end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#runner.stop();
    const claims = [...this.#held.values()].map(({ claim }) => claim);
    for (const key of [...this.#held.keys()]) this.#drop(key);
    await Promise.all(this.#stopping.values());
    const { store, clock } = this.#options;
    if (claims.length > 0) await this.#try(() => store.moveClaims({ claims, until: clock.now() }));
  }

  async #turn(): Promise<undefined> {
    if (this.#isRenewalDue()) await this.#try(() => this.#renew());
    if (!this.#isStopped) await this.#try(() => this.#claim());
  }

  /** Checks the monotonic clock, and also the wall clock in case it has jumped ahead or back. */
  #isRenewalDue(): boolean {
    const now = this.#options.clock.now();
    if (performance.now() - this.#renewedAt >= renewMs) return true;
    const leftMs = [...this.#held.values()].map(({ claim: { until } }) => until - now);
    return leftMs.some((ms) => ms <= leaseMs - renewMs || ms > leaseMs);
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    const before = [...this.#held];
    if (before.length > 0) {
      const { store, clock } = this.#options;
      const claims = before.map(([, { claim }]) => claim);
      const moved = await store.moveClaims({ claims, until: clock.now() + leaseMs });
      const kept = new Map(moved.map((claim) => [keyOf(claim), claim]));
      for (const [key, held] of before) {
        const claim = kept.get(key);
        if (claim) Object.assign(held, { claim, endsAt: startedAt + leaseMs });
        else if (this.#held.get(key) === held) this.#drop(key);
      }
    }
    this.#renewedAt = startedAt;
  }

  async #claim(): Promise<void> {
    const { store, clock, kind } = this.#options;
    while (!this.#isStopped) {
      const startedAt = performance.now();
      const claims = await store.claimDue({ kind, now: clock.now(), limit: batch, forMs: leaseMs, longestMs });
      for (const claim of claims) {
        const key = keyOf(claim);
        // This node lost the lease without knowing it, or a commit has moved its timer.
        if (this.#held.has(key)) this.#drop(key);
        this.#held.set(key, { claim, job: this.#begin(claim), endsAt: startedAt + leaseMs });
      }
      if (claims.length < batch) return;
    }
  }

  /** Begins once the previous job has stopped, which may take seconds in which other leases must be kept. */
  #begin(claim: Claim): HeldLease['job'] {
    const stopping = this.#stopping.get(keyOf(claim));
    if (!stopping) return this.#beginNow(claim);
    let isStopped = false;
    const begun = stopping.then(() => (isStopped ? undefined : this.#beginNow(claim)));
    return {
      stop: async () => {
        isStopped = true;
        await (await begun)?.stop();
      },
    };
  }

  #beginNow(claim: Claim): HeldLease['job'] {
    const job = this.#options.begin(claim);
    const ofOrg = this.jobs.get(claim.orgId) ?? new Set();
    this.jobs.set(claim.orgId, ofOrg.add(job));
    return {
      stop: () => {
        ofOrg.delete(job);
        if (ofOrg.size === 0 && this.jobs.get(claim.orgId) === ofOrg) this.jobs.delete(claim.orgId);
        return job.stop();
      },
    };
  }

  #drop(key: string): void {
    const held = this.#held.get(key);
    if (!held) return;
    this.#held.delete(key);
    const stopped = held.job
      .stop()
      .catch((error: unknown) => this.#options.onError(error))
      .then(() => {
        if (this.#stopping.get(key) === stopped) this.#stopping.delete(key);
      });
    this.#stopping.set(key, stopped);
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.#options.onError(error));
  }
}

const keyOf = ({ orgId, id }: Claim): string => JSON.stringify([orgId, id]);
