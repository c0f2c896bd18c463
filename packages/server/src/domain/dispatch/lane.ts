/** A lane: the stretch of a thread's log whose inputs wait for a worker, and the batch of it that is being worked on. */
import { type DispatchSettings, limits } from '@holdpoint/protocol';
import { clockSkewMs } from '../clock-skew.ts';

/** Times are milliseconds. A lane without a batch has inputs that wait; one with neither is removed. */
export interface Lane {
  threadId: string;
  /** Whose workers it is for; those that serve none, without it. */
  agent?: string;
  /** As they were when its last input came. */
  settings: DispatchSettings;
  /** What waits lies between these two, both included; none where the first is the greater. */
  nextSeq: number;
  lastSeq: number;
  /** When the first and the last of what waits came. */
  firstAt: number;
  lastAt: number;
  typingUntil?: number;
  batch?: LaneBatch;
}

export interface LaneBatch {
  id: string;
  fromSeq: number;
  toSeq: number;
  /** Counted when it is leased, so that a batch that kills its workers ends too. */
  attempts: number;
  /** How many of them do not count: a worker that stopped gave it back, or its run has gone on since. */
  forgiven?: number;
  /** How long the journal of its run was when this was last looked at, which is when it is tried again. */
  entries?: number;
  /** The end of the lease, or of the pause before the next try. */
  until: number;
  /** Whose it is; nobody's in a pause. */
  holder?: { workerId: string; leaseMs: number };
}

/** Lanes of an agent's threads are of a kind of their own, so that whoever claims those finds no other. */
export const laneKind = (agent: string | undefined) => (agent === undefined ? 'lane' : (`lane ${agent}` as const));

/** In mode immediate every input is a lane of its own. No id of a thread has a space in it. */
export const laneId = (threadId: string, { mode }: DispatchSettings, seq: number): string =>
  mode === 'immediate' ? `${threadId} ${seq}` : threadId;

export const hasWaiting = ({ nextSeq, lastSeq }: Lane): boolean => nextSeq <= lastSeq;

/** From when on it may be claimed. */
export function dueAt({ batch, settings, firstAt, lastAt, typingUntil = 0 }: Lane): number {
  if (batch) return batch.until;
  const { mode, debounceMs, maxWaitMs } = settings;
  if (mode !== 'batched_sequential') return firstAt;
  return Math.min(firstAt + maxWaitMs, Math.max(lastAt + debounceMs, typingUntil));
}

/** Longest wait of a lane: for its lease to end, for its next try, or for more inputs. */
export const longestWaitMs = Math.max(limits.leaseMs.max, limits.retryDelayMs, limits.dispatchMaxWaitMs) + clockSkewMs;

/** A lane that is due later than any lane can be was written by a wrong clock, so it is due now. */
export const isDue = (lane: Lane, now: number): boolean => dueAt(lane) <= now || dueAt(lane) > now + longestWaitMs;

/** What is left when the batch is done with; undefined where nothing is. */
export function withoutBatch(lane: Lane): Lane | undefined {
  if (!hasWaiting(lane)) return undefined;
  const { batch: _done, ...rest } = lane;
  return rest;
}
