/** Asks one question for each position in a run. A run that gets there again after a crash finds the same question. */
import type { Holdpoint } from '@holdpoint/client';
import {
  type Ask,
  type CreateInteraction,
  defined,
  type FreeObject,
  hasCode,
  type Interaction,
  type Outcome,
  outcomeOf,
  type ReadingOptions,
} from '@holdpoint/protocol';

export type Question = Ask<unknown> | CreateInteraction;

export interface Place {
  thread: string | { readonly id: string };
  /** Your id for this run of the agent. Use the same id to start the run again, and a new one for a new run. */
  run: string;
}

export interface WaitOptions extends ReadingOptions {
  /** The Holdpoint thread that gets the questions. */
  thread: Place['thread'];
  /** Stops waiting. The questions stay open, and a later run finds them. */
  signal?: AbortSignal;
}

/** `at` is the position in the run: any JSON that is the same when the run gets there again, such as a stored tool call id. */
export interface PlaceInRun extends Place, ReadingOptions {
  at: unknown;
  toolCallId?: string;
  signal?: AbortSignal | undefined;
}

export async function askOnce(hp: Holdpoint, question: Question, place: PlaceInRun): Promise<Outcome<FreeObject>> {
  place.signal?.throwIfAborted();
  return outcomeOf(await waitOnce(hp, question, place), place);
}

/** Returns the question when it is closed. */
export const waitOnce = async (hp: Holdpoint, question: Question, place: PlaceInRun): Promise<Interaction> =>
  hp.wait(await createOnce(hp, question, place), defined({ signal: place.signal }));

/** Returns the question in its current state, without waiting. */
export async function createOnce(
  hp: Holdpoint,
  question: Question,
  { thread, run, at, toolCallId }: Omit<PlaceInRun, 'signal'>,
): Promise<Interaction> {
  const threadId = typeof thread === 'string' ? thread : thread.id;
  const key = await digestOf([threadId, run, at]);
  const asked: Question = {
    run: { id: run, ...defined({ toolCallId }) },
    ...question,
    trace: { ...question.trace, askedAs: key },
  };
  return hp.create(threadId, asked, { idempotencyKey: key }).catch(async (error: unknown) => {
    if (!hasCode(error, 'idempotency-key-reused')) throw error;
    // The question has changed since, for example because its deadline counts from now.
    const filter = { threadId, runId: asked.run?.id ?? run, order: 'newest' } as const;
    for await (const each of hp.every('listInteractions', filter)) if (each.trace?.askedAs === key) return each;
    throw error;
  });
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `adapter:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
