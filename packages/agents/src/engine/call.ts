/** One call of the agent's function: how it is done, and how it is replayed from the journal. */
import { defined, type NewJournalEntry, type RunWait } from '@holdpoint/protocol';
import type { CallType } from './errors.ts';
import type { Journal } from './journal.ts';

export interface CallKind<T> {
  type: CallType;
  /**
   * Identifies the call among calls of its type. Empty if its position identifies it: a message, a sleep, a question
   * without a name.
   */
  name: string;
  /** Does the call, or continues it. An error that it throws is kept, and thrown again at every replay. */
  play(call: LiveCall): Promise<Settled<T>>;
  /** Returns the result of a replayed call, from the data that the journal keeps under its number. */
  recall(data: unknown, number: number): T | Promise<T>;
}

export interface Settled<T> {
  data: unknown;
  value: T;
  /** When it happened, if that was before the run continued. */
  at?: number;
}

/** The result of a call whose value is JSON, and the reverse. */
export const keepValue = <T>(value: T): Settled<T> => ({ data: defined({ value }), value });
export const recallValue = <T>(data: unknown): T => (data as { value?: T }).value as T;

/** The tools of a call that is being done. */
export interface LiveCall {
  readonly number: number;
  /** The same at every attempt. */
  readonly key: string;
  /** Its notes of earlier attempts. */
  readonly notes: readonly unknown[];
  /** Aborts when this execution must end. */
  readonly signal: AbortSignal;
  note(data: unknown): void;
  /** Must be awaited before any effect outside. Resolves when all earlier entries are saved, and never once the worker stops. */
  ready(): Promise<void>;
  /** Waits for one of these. Never resolves, because the run continues in another execution. */
  waitFor(...waits: RunWait[]): Promise<never>;
  /** Waits for a time. Resolves if it comes while other calls still run. */
  waitUntil(time: number): Promise<void>;
}

export interface OpenCall {
  number: number;
  kind: CallKind<unknown>;
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** Undefined while it runs. */
  waits: RunWait[] | undefined;
  /** Whether it did not begin because the worker stops. */
  isHeld: boolean;
}

export interface ExecutionOptions {
  journal: Journal;
  add(entry: NewJournalEntry): void;
  flush(): Promise<void>;
  now(): number;
  /** Prefix of the keys of its calls. */
  key: string;
  /** Aborts when it must end at once. */
  signal: AbortSignal;
}
