/**
 * Tracks the health of an endpoint by its responses: since when it has accepted nothing, and when a delivery may be
 * attempted again. Retries to an endpoint that accepts nothing go one at a time, with a longer pause after each.
 */
import type { Attempt } from '@holdpoint/protocol';
import { isTaken } from '../../domain/webhooks/delivery.ts';
import { isSpared, type RetryPolicy, spareMs } from '../../domain/webhooks/retry.ts';
import { failingSince } from '../../domain/webhooks/webhook-health.ts';

export class EndpointHealth {
  readonly #policy: RetryPolicy | undefined;
  /** The endpoint has accepted nothing since this time. */
  failingSince: number | undefined;
  #failuresInARow = 0;
  #sparedRetries = 0;
  /** No delivery is retried before this time. First attempts do not wait for it. */
  retriesAt = 0;

  constructor(policy: RetryPolicy | undefined) {
    this.#policy = policy;
  }

  noteRetry(now: number): void {
    if (isSpared(this.#failuresInARow)) this.retriesAt = now + spareMs(this.#sparedRetries++, this.#policy);
  }

  noteAttempt(attempt: Attempt, now: number): void {
    this.failingSince = failingSince(this.failingSince, attempt, now);
    if (isTaken(attempt)) this.stopSparing();
    else this.#failuresInARow++;
  }

  /** Called when the endpoint has accepted a delivery, or when the webhook has another endpoint. */
  stopSparing(): void {
    this.#failuresInARow = 0;
    this.#sparedRetries = 0;
    this.retriesAt = 0;
  }

  clockSetBack(now: number): void {
    this.retriesAt = Math.min(this.retriesAt, now);
    if (this.failingSince !== undefined) this.failingSince = Math.min(this.failingSince, now);
  }
}
