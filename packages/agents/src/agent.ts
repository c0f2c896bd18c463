/** What an author writes: a name and an async function. What the function may do is here, and nothing of how it is done. */
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

/** Plain data, so that one made by another copy of this package works as well. */
export interface Agent {
  name: string;
  run(ctx: AgentContext): Promise<unknown>;
}

export const agent = (name: string, run: Agent['run']): Agent => ({ name, run });

/**
 * Every call is an entry of the run's journal. After an interruption the function runs again from its beginning, each
 * call gives at once what it gave then, and the first that has not ended yet goes on. So whatever is not a call must do
 * the same each time: what reads a clock, draws a number or touches the world belongs in one.
 */
export interface AgentContext {
  readonly runId: string;
  readonly threadId: string;
  /** Posts a message: plain text, markdown, or blocks. */
  say(said: Said): Promise<Message>;
  /** Streams the text that the generator yields, as it comes, and gives what it returns. */
  say<T>(pieces: () => AsyncGenerator<string, T>): Promise<T>;
  /** Asks, and goes on when the question is closed: tomorrow, on another machine. */
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
  /** Runs a side effect and keeps what it gave. It runs again only if the process died before that was kept, or as its policy says. */
  step<T>(name: string, run: (step: StepInfo) => Promise<T> | T, policy?: RetryPolicy): Promise<T>;
  /** Milliseconds, or until a time. */
  sleep(time: number | Date): Promise<void>;
  /** The next message of a person that the run has not read; the first is the one that started it. */
  message(): Promise<Message>;
  /** All messages of people that the run was given and has not read, without waiting for one. */
  unread(): Promise<Message[]>;
  /**
   * The last messages of the thread (50, at most 200), the oldest first, read anew each time. It is no entry of the
   * journal: call it within one, in a step or in the pieces of `say`.
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
  /** Of the model's call that asks it. */
  toolCallId?: string;
  /** A message of the person that the run has not read, other than the one that began it, withdraws the question, and is what comes back. */
  orMessage?: boolean;
}

export interface HistoryOptions {
  /**
   * Only what was said before this run: without the messages that the run is given, and without its own. A message that came while
   * an earlier run went on stands where that run, or a later one, was given it.
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
  /** The same at every attempt: give it to whom the side effect is done to. */
  idempotencyKey: string;
  /** Aborts when the time of the attempt is up or the worker stops. */
  signal: AbortSignal;
  /** Hands out the secret values of an answer, once. They are kept nowhere. */
  takeSecrets(interactionId: string): Promise<FreeObject>;
}

export interface RetryPolicy {
  /** How often it is tried in all (3). */
  attempts?: number;
  /** The pause before the second try (1 s); it doubles with each, up to `maxDelayMs` (1 min). */
  firstDelayMs?: number;
  maxDelayMs?: number;
  /** How long one attempt may take (5 min). */
  timeoutMs?: number;
}

/** Thrown by a step: another attempt is of no use. */
export class NoRetry extends Error {
  override name = 'NoRetry';
}
