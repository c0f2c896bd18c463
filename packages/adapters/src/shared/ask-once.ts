/** A question of one place in one run: who comes by again, after a crash, finds it as it was asked first. */
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
  /** The author's name for this run of the agent: the same when it is started again, another for another run. */
  run: string;
}

/** Where in the run: the id of a tool call that is kept, or whatever else is the same when the run gets there again. */
export interface PlaceInRun extends Place, ReadingOptions {
  at: unknown;
  toolCallId?: string;
  signal?: AbortSignal | undefined;
}

export async function askOnce(hp: Holdpoint, question: Question, place: PlaceInRun): Promise<Outcome<FreeObject>> {
  const { signal, countDeadlineAsApproval } = place;
  signal?.throwIfAborted();
  const closed = await hp.wait(await createOnce(hp, question, place), signal ? { signal } : {});
  return outcomeOf(closed, { countDeadlineAsApproval });
}

/** The same without waiting: the question as it stands now. */
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
    // Worded another way by now, such as with a deadline that is counted from when it is asked.
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
