/** One call of the function: what it is, what its journal keeps of it, and what it does when it has not ended yet. */
import type { RunWait } from '@holdpoint/protocol';
import type { CallType } from './journal.ts';

export interface CallKind<T> {
  type: CallType;
  /**
   * Identifies the call among calls of its type. Empty if its position identifies it: a message, a sleep, a question
   * without a name.
   */
  name: string;
  /** Does it, or goes on with it. What it throws is kept, and thrown again at every replay. */
  play(call: LiveCall): Promise<Settled<T>>;
  /** Returns the result of a replayed call, from the data that the journal keeps under its number. */
  recall(data: unknown, number: number): T | Promise<T>;
}

export interface Settled<T> {
  data: unknown;
  value: T;
  /** When it came about, where it was while nobody looked. */
  at?: number;
}

/** What a call that is being done may do. */
export interface LiveCall {
  readonly number: number;
  /** The same at every attempt. */
  readonly key: string;
  /** What it noted at earlier attempts. */
  readonly notes: readonly unknown[];
  /** Aborts when this execution must end. */
  readonly signal: AbortSignal;
  note(data: unknown): void;
  /** Before anything outside is done: resolves when all that led here is saved, and never once the worker stops. */
  ready(): Promise<void>;
  /** Nothing is to be done until this has come; never resolves. */
  waitFor(...waits: RunWait[]): Promise<never>;
  /** As a wait for a time, which resolves if it comes while the rest still runs. */
  waitUntil(time: number): Promise<void>;
}
