/** Asks one question for each position in a run. A run that gets there again after a crash finds the same question. */
import type { Holdpoint } from '@holdpoint/client';
import {
  type Ask,
  type CreateInteraction,
  defined,
  type FreeObject,
  HoldpointError,
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

/** `at` is the position in the run: any JSON that is the same when the run gets there again, such as a stored tool call id. */
export interface PlaceInRun extends Place, ReadingOptions {
  at: unknown;
  toolCallId?: string;
  signal?: AbortSignal | undefined;
}

export async function askOnce(hp: Holdpoint, question: Question, place: PlaceInRun): Promise<Outcome<FreeObject>> {
  const { signal, countDeadlineAsApproval } = place;
  signal?.throwIfAborted();
  const closed = await hp.wait(await createOnce(hp, question, place), defined({ signal }));
  return outcomeOf(closed, { countDeadlineAsApproval });
}

/** The same without waiting. Returns the question in its current state. */
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
    if (!(error instanceof HoldpointError) || error.code !== 'idempotency-key-reused') throw error;
    // The question has changed since, for example because its deadline counts from now.
    return (await find(hp, { threadId, runId: asked.run?.id ?? run, key })) ?? Promise.reject(error);
  });
}

async function find(
  hp: Holdpoint,
  { key, ...filter }: { threadId: string; runId: string; key: string },
): Promise<Interaction | undefined> {
  for await (const each of hp.every('listInteractions', { ...filter, order: 'newest' }))
    if (each.trace?.askedAs === key) return each;
  return undefined;
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `adapter:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
