/** What every operation is given: ports, a clock and ids. None of them is a concrete store or transport. */
import type { Store } from '../stores/store.ts';

export interface Context {
  store: Store;
  clock: Clock;
  newId(): string;
  waits: Waits;
  tokens: ResponderTokens;
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
