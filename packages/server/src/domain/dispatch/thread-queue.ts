/** A thread queue: the inputs in a thread's log that wait for a worker, the batch that a worker has leased, and the settings. */
import { type DispatchSettings, limits, type UpdateThreadDispatchSettings } from '@holdpoint/protocol';
import { clockSkewMs } from '../state.ts';

/** Times are milliseconds. A queue with no batch has waiting inputs. A queue with neither is removed. */
export interface ThreadQueue {
  threadId: string;
  /** The agent whose workers may claim it. Without it, workers that name no agent. */
  agent?: string;
  /** The settings when its last input came. */
  settings: DispatchSettings;
  /** The inputs between these two wait, both included. None waits if the first is greater. */
  nextSeq: number;
  lastSeq: number;
  /** When the first and the last waiting input came. */
  firstAt: number;
  lastAt: number;
  typingUntil?: number;
  batch?: QueueBatch;
}

export interface QueueBatch {
  id: string;
  fromSeq: number;
  toSeq: number;
  /** Counted when it is leased, so that a batch that kills its workers is given up too. */
  attempts: number;
  /** Number of attempts that do not count: a worker that stopped gave the batch back, or its run has made progress since. */
  forgiven?: number;
  /** Length of the journal of its run at the last retry. */
  entries?: number;
  /** The end of the lease, or of the pause before the next attempt. */
  until: number;
  /** The worker with the lease. None during a pause. */
  holder?: { workerId: string; leaseMs: number };
}

// cspell:ignore lane
/** Type of the document. Earlier versions called a queue a lane, and their data must open. */
export const queueType = 'lane';

/** Each agent has its own kind of timer, so that a claim for its queues finds no other. Stored, like `queueType`. */
export const queueTimerKind = (agent: string | undefined) =>
  agent === undefined ? 'lane' : (`lane ${agent}` as const);

/** In mode immediate every input has a queue of its own. No thread id has a space in it. */
export const queueId = (threadId: string, { mode }: DispatchSettings, seq: number): string =>
  mode === 'immediate' ? `${threadId} ${seq}` : threadId;

const hasWaiting = ({ nextSeq, lastSeq }: ThreadQueue): boolean => nextSeq <= lastSeq;

/** Returns when it may be claimed. */
export function dueAt({ batch, settings, firstAt, lastAt, typingUntil = 0 }: ThreadQueue): number {
  if (batch) return batch.until;
  const { mode, debounceMs, maxWaitMs } = settings;
  if (mode !== 'batched_sequential') return firstAt;
  return Math.min(firstAt + maxWaitMs, Math.max(lastAt + debounceMs, typingUntil));
}

/** Longest wait of a queue: for its lease to end, for its next attempt, or for more inputs. */
export const longestWaitMs = Math.max(limits.leaseMs.max, limits.retryDelayMs, limits.dispatchMaxWaitMs) + clockSkewMs;

/** A queue with a due time that is too late for any queue was written by a wrong clock, so it is due now. */
export const isDue = (queue: ThreadQueue, now: number): boolean =>
  dueAt(queue) <= now || dueAt(queue) > now + longestWaitMs;

/** Returns the queue without its batch, or undefined if nothing is left. */
export function withoutBatch(queue: ThreadQueue): ThreadQueue | undefined {
  if (!hasWaiting(queue)) return undefined;
  const { batch: _done, ...rest } = queue;
  return rest;
}

export interface QueuedInput {
  threadId: string;
  /** The current agent of the thread. */
  agent?: string | undefined;
  seq: number;
  at: number;
  /** A message ends the typing of its author. */
  isMessage: boolean;
}

/**
 * Adds an input. Inputs come in the order of the log, so an input that is not after the last was added before. An input from a
 * clock that was ahead counts from now, or it would delay the queue for as long as the clock was wrong.
 */
export function enqueue(
  queue: ThreadQueue | undefined,
  input: QueuedInput,
  settings: DispatchSettings,
  now: number,
): ThreadQueue {
  const { threadId, seq, isMessage } = input;
  const agent = input.agent === undefined ? {} : { agent: input.agent };
  const at = Math.min(input.at, now);
  if (!queue) return { threadId, ...agent, settings, nextSeq: seq, lastSeq: seq, firstAt: at, lastAt: at };
  if (seq <= queue.lastSeq) return queue;
  const { typingUntil, agent: _before, ...rest } = queue;
  return {
    ...rest,
    ...agent,
    settings,
    ...(hasWaiting(queue) ? {} : { nextSeq: seq, firstAt: at }),
    lastSeq: seq,
    lastAt: at,
    ...(typingUntil === undefined || isMessage ? {} : { typingUntil }),
  };
}

/** Makes the queue wait longer because somebody is typing. Returns undefined if that makes no difference. */
export function extendByTyping(queue: ThreadQueue, now: number): ThreadQueue | undefined {
  const { mode, typingGraceMs } = queue.settings;
  if (mode !== 'batched_sequential' || !hasWaiting(queue)) return undefined;
  const typingUntil = now + typingGraceMs;
  return typingUntil > (queue.typingUntil ?? 0) ? { ...queue, typingUntil } : undefined;
}

/** The settings of an org or a thread that differ from those of the org, or from the defaults. */
export type DispatchOverrides = Partial<DispatchSettings>;

const defaults: DispatchSettings = {
  mode: 'batched_sequential',
  debounceMs: 600,
  typingGraceMs: 2_000,
  maxWaitMs: 30_000,
};

type Overrides = { [of in 'org' | 'thread']?: DispatchOverrides | undefined } & { hasAgent?: boolean };

/** An agent's run takes one input after the other, so its thread is never in mode immediate. */
export function settingsOf({ org, thread, hasAgent = false }: Overrides): DispatchSettings {
  const settings = { ...defaults, ...(hasAgent ? { mode: 'sequential' as const } : {}), ...org, ...thread };
  return hasAgent && settings.mode === 'immediate' ? { ...settings, mode: 'sequential' } : settings;
}

/** Changes only what the caller names. Null resets it. */
export function updateOverrides(before: DispatchOverrides, update: UpdateThreadDispatchSettings): DispatchOverrides {
  const changed = Object.entries({ ...before, ...update }).filter(([, value]) => value !== null);
  return Object.fromEntries(changed) as DispatchOverrides;
}
