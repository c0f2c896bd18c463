/** The callers on this node that wait for batches. Each agent of each org has a poller of its own. */
import type { Batch } from '@holdpoint/protocol';
import { CoalescedRunner } from '../../coalesced-runner.ts';
import { longestWaitMs, queueTimerKind } from '../../domain/dispatch/thread-queue.ts';
import type { Clock, WantedBatches } from '../../operations/context.ts';
import type { Claim, Store, TimerKind } from '../../stores/store.ts';
import { sleepUntil } from '../timers.ts';
import { WaitingClaim, type WaitingOptions } from './waiting-claim.ts';

/** If a node dies between finding a queue and leasing it, other nodes may claim the queue after this time. */
const claimMs = 5_000;
const mostAtOnce = 200;

export interface ClaimQueueOptions extends WaitingOptions {
  store: Pick<Store, 'claimDue' | 'moveClaims' | 'nextDueAt' | 'onWritten'>;
  clock: Clock;
}

export class ClaimQueue {
  readonly #options: ClaimQueueOptions;
  readonly #pollers = new Map<string, ClaimPoller>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(options: ClaimQueueOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.onWritten(() => {
      for (const poller of this.#pollers.values()) poller.lookSoon();
    });
  }

  /** Resolves with batches as soon as one is ready, or with none when the time is up, the caller hangs up or the server stops. */
  async claim(wanted: WantedBatches): Promise<Batch[]> {
    if (this.#isClosed) return [];
    const { orgId, agents = [undefined] } = wanted;
    const pollers = agents.map((agent) => this.#pollerOf(orgId, queueTimerKind(agent)));
    const claim = new WaitingClaim(wanted, this.#options);
    for (const { poller } of pollers) poller.add(claim);
    const batches = await claim.result;
    for (const { key, poller } of pollers) {
      poller.remove(claim);
      if (poller.isEmpty() && this.#pollers.get(key) === poller) this.#pollers.delete(key);
    }
    return batches;
  }

  #pollerOf(orgId: string, kind: TimerKind): { key: string; poller: ClaimPoller } {
    const key = `${kind} ${orgId}`;
    const poller = this.#pollers.get(key) ?? new ClaimPoller({ ...this.#options, orgId, kind });
    this.#pollers.set(key, poller);
    return { key, poller };
  }

  /** Ends every claim, also later ones. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const poller of this.#pollers.values()) poller.close();
  }
}

interface ClaimPollerOptions extends ClaimQueueOptions {
  orgId: string;
  /** Kind of the timers of the queues. */
  kind: TimerKind;
}

/**
 * Serves the claims on this node for the thread queues of one agent of one org, or of no agent. One look at the store serves
 * all of them, so that a thousand waiting workers cost no more than one.
 */
class ClaimPoller {
  readonly #options: ClaimPollerOptions;
  readonly #claims = new Set<WaitingClaim>();
  readonly #runner: CoalescedRunner;

  constructor(options: ClaimPollerOptions) {
    this.#options = options;
    this.#runner = new CoalescedRunner({ run: () => this.#look(), onError: options.onError });
  }

  add(claim: WaitingClaim): void {
    this.#claims.add(claim);
    claim.addPoller(this);
    this.lookSoon();
  }

  /** An empty poller stops and must not be used again. */
  remove(claim: WaitingClaim): void {
    this.#claims.delete(claim);
    if (this.isEmpty()) void this.#runner.stop();
  }

  isEmpty(): boolean {
    return this.#claims.size === 0;
  }

  close(): void {
    for (const claim of this.#claims) claim.end();
  }

  lookSoon(): void {
    this.#runner.trigger();
  }

  /** Hands out due queues. Returns how long to sleep. */
  async #look(): Promise<number | undefined> {
    const { orgId, kind, store, clock } = this.#options;
    const ready = this.#readyClaims();
    const limit = Math.min(
      mostAtOnce,
      ready.reduce((sum, claim) => sum + claim.limit, 0),
    );
    // A claim that is being served triggers the next look itself.
    if (limit === 0) return undefined;
    try {
      const now = clock.now();
      const due = await store.claimDue({ kind, orgId, now, limit, forMs: claimMs, longestMs: longestWaitMs });
      await this.#handOut(due);
      return due.length === limit ? 0 : sleepUntil(await store.nextDueAt({ kind, orgId }), clock);
    } finally {
      for (const claim of ready) claim.polledBy(this);
    }
  }

  #readyClaims(): WaitingClaim[] {
    return [...this.#claims].filter((claim) => claim.isReady());
  }

  async #handOut(queues: readonly Claim[]): Promise<void> {
    const turns = inTurns(this.#readyClaims(), queues.length);
    const shares = Map.groupBy(queues, (_queue, index) => turns[index]);
    for (const [claim, share] of shares) {
      if (claim) claim.serve(share);
      // The callers of these claims have gone.
      else await this.#options.store.moveClaims({ claims: share, until: this.#options.clock.now() });
    }
  }
}

/** Assigns queues in rounds: one to each claim, then another to each claim that takes more. */
function inTurns(claims: readonly WaitingClaim[], count: number): WaitingClaim[] {
  const turns: WaitingClaim[] = [];
  for (let round = 0; turns.length < count; round++) {
    const taking = claims.filter(({ limit }) => limit > round);
    if (taking.length === 0) break;
    turns.push(...taking);
  }
  return turns;
}
