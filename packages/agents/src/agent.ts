/** The interface for authors of agents: a name, an async function, and the calls that the function may make. */
import type {
  Approval,
  ApprovalAsk,
  Ask,
  Block,
  CreateInteraction,
  FreeObject,
  Interaction,
  Message,
  Outcome,
  ReadingOptions,
  ValuesOf,
} from '@holdpoint/protocol';

/** Plain data, so that an agent made by another copy of this package works too. */
export interface Agent {
  name: string;
  run(ctx: AgentContext): Promise<unknown>;
}

export const agent = (name: string, run: Agent['run']): Agent => ({ name, run });

/**
 * The journal of the run keeps the result of every call. After an interruption the function runs again from its beginning:
 * each call that has ended returns its kept result at once, and the first that has not continues. So code outside calls must
 * do the same each time. Put anything that reads a clock, draws a number or has an effect into a call.
 */
export interface AgentContext {
  readonly runId: string;
  readonly threadId: string;
  /** Posts a message: plain text, markdown, or blocks. */
  say(said: Said): Promise<Message>;
  /** Streams the text that the generator yields, and returns what the generator returns. */
  say<T>(pieces: () => AsyncGenerator<string, T>): Promise<T>;
  /** Asks a question, and continues when it is closed: perhaps tomorrow, on another machine. */
  ask<Q extends Ask<unknown> | CreateInteraction>(
    question: Q,
    options?: AskingOptions & { orMessage?: false },
  ): Promise<Outcome<ValuesOf<Q>>>;
  ask<Q extends Ask<unknown> | CreateInteraction>(
    question: Q,
    options: AskingOptions,
  ): Promise<Outcome<ValuesOf<Q>> | Interrupted>;
  /** Asks for an approval: of `allow` or `deny`, or of options with kinds. */
  approve<A extends object = FreeObject>(
    question: ApprovalAsk<A>,
    options?: Omit<AskingOptions, 'orMessage'>,
  ): Promise<Approval<A>>;
  /** Runs a side effect and keeps its result. It runs again only if the process died before the result was kept, or as its policy says. */
  step<T>(name: string, run: (step: StepInfo) => Promise<T> | T, policy?: RetryPolicy): Promise<T>;
  /** Waits for a number of milliseconds, or until a time. */
  sleep(time: number | Date): Promise<void>;
  /** Returns the next unread message of a person. The first is the one that started the run. */
  message(): Promise<Message>;
  /** Returns all unread messages that the run got, without waiting for one. */
  unread(): Promise<Message[]>;
  /**
   * Returns the last messages of the thread (50, at most 200), the oldest first. The journal does not keep them: read them
   * within a call, in a step or in the pieces of `say`.
   */
  history(limit?: number, options?: HistoryOptions): Promise<Message[]>;
  now(): Promise<Date>;
  /** At least 0 and less than 1. */
  random(): Promise<number>;
}

export type Said = string | { markdown: string } | Block | readonly Block[];

export interface AskingOptions extends ReadingOptions {
  /** Identifies this question after the function has changed. Without a name, its position and its kind identify it. */
  name?: string;
  /** Id of the model's tool call that asks it. */
  toolCallId?: string;
  /** An unread message of the person, other than the one that started the run, cancels the question and is returned. */
  orMessage?: boolean;
}

export interface HistoryOptions {
  /**
   * Only messages before this run, without those that the run gets and writes. A message that came during an earlier run
   * is at the place where that run, or a later one, got it.
   */
  beforeRun?: boolean;
}

export interface Interrupted {
  status: 'message';
  message: Message;
  interaction: Interaction;
}

export interface StepInfo {
  /** 1, 2, 3, … */
  attempt: number;
  /** The same at every attempt. Pass it to the service that performs the side effect. */
  idempotencyKey: string;
  /** Aborts when the attempt times out or the worker stops. */
  signal: AbortSignal;
  /** Returns the secret values of an answer, once. The journal does not keep them. */
  takeSecrets(interactionId: string): Promise<FreeObject>;
}

export interface RetryPolicy {
  /** Number of attempts in all (3). */
  attempts?: number;
  /** The pause before the second attempt (1 s). It doubles each time, up to `maxDelayMs` (1 min). */
  firstDelayMs?: number;
  maxDelayMs?: number;
  /** How long one attempt may take (5 min). */
  timeoutMs?: number;
}

/** Throw it in a step if another attempt would not help. */
export class NoRetry extends Error {
  override name = 'NoRetry';
}
