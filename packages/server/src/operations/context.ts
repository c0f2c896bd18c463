/** What every operation is given: ports, a clock and ids. None of them is a concrete store or transport. */
import type { Attempt, Batch, Problem, StopSignal } from '@holdpoint/protocol';
import type { StoredWebhook } from '../domain/webhooks/stored-webhook.ts';
import type { Store } from '../stores/store.ts';

export interface Context {
  store: Store;
  clock: Clock;
  newId(): string;
  waits: Waits;
  tokens: ResponderTokens;
  dispatch: Dispatch;
  webhooks: Webhooks;
}

export interface Clock {
  /** Milliseconds since 1970. It may jump; order never depends on it. */
  now(): number;
}

export interface Waits {
  /** From this moment on the waiter hears of every change of the interaction. */
  add(interactionId: string, waiter: Waiter): void;
  remove(interactionId: string, waiter: Waiter): void;
}

export interface Waiter {
  change(): void;
  /** The server is stopping. */
  end(): void;
}

interface Dispatch {
  /** Resolves with the first batches that are ready, already leased, or with none when the time is up. */
  claim(wanted: WantedBatches): Promise<Batch[]>;
  /** Orgs in which it has begun, as far as this node knows; it ends in none. */
  begun: Set<string>;
  /** The timer of an org is stored: from now on some node can take its inputs in. */
  begin(): void;
}

export interface WantedBatches {
  orgId: string;
  workerId: string;
  leaseMs: number;
  waitMs: number;
  limit: number;
  signal?: StopSignal;
}

export interface ResponderTokens {
  sign(claims: ResponderClaims): Promise<string>;
}

interface ResponderClaims {
  orgId: string;
  responderId: string;
  threadId: string;
  interactionId?: string;
  expiresAt: number;
}

export interface Webhooks {
  /** Why no webhook may lead there, if so. */
  checkUrl(url: string): Promise<Problem | undefined>;
  /** One attempt with an event that is in no log. */
  test(webhook: StoredWebhook): Promise<Attempt>;
  /** A webhook was committed: whoever sends looks at once. */
  changed(): void;
}
