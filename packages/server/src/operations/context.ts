/** What every operation is given: ports, a clock and ids. None of them is a concrete store or transport. */
import type { StopSignal } from '@holdpoint/protocol';
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
  /** Listens for changes of one interaction from this moment on. */
  listen(interactionId: string): Listening;
}

export interface Listening {
  /** Resolves true at the next change, false when the time is up or the server is stopping. */
  next(timeoutMs: number, signal?: StopSignal): Promise<boolean>;
  stop(): void;
}

export interface ResponderTokens {
  sign(claims: ResponderClaims): Promise<string>;
}

export interface ResponderClaims {
  orgId: string;
  responderId: string;
  threadId: string;
  interactionId?: string;
  expiresAt: number;
}
