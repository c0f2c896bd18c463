/** The life of a batch: leased, kept by heartbeats, then completed, failed and retried, or given up. */
import { defined, type FailBatch, type Heartbeat, type Message } from '@holdpoint/protocol';
import { type NewEvent, type Refused, refuse } from '../command.ts';
import { textBlocks } from '../message-stream.ts';
import { systemActor, timestamp } from '../state.ts';
import { isDue, type QueueBatch, type ThreadQueue, withoutBatch } from './thread-queue.ts';

export const defaultLeaseMs = 30_000;
const maxBatchInputs = 100;
/** An input may have 400 KB, and a hundred such inputs are too much for a worker. */
const maxBatchBytes = 1_000_000;
export const maxAttempts = 8;
const firstRetryMs = 500;
const longestRetryMs = 30_000;

/** The queue afterwards, undefined if nothing is left of it. `skipped` is a batch that was given up. */
export interface QueueOutcome {
  queue: ThreadQueue | undefined;
  skipped?: { batch: QueueBatch; reason: string };
}

export type QueueDecided = ({ ok: true } & QueueOutcome) | Refused;

export interface Lease {
  workerId: string;
  leaseMs: number;
  /** Id of the batch, if this is its first lease. */
  batchId: string;
  /** The last input of the batch, if this is its first lease. */
  toSeq: number;
  /** Length of the journal of its run, if this is not its first lease and it has a run. */
  entries?: number | undefined;
}

/** Number of waiting inputs that a new batch takes. */
export const batchSize = ({ settings }: ThreadQueue): number =>
  settings.mode === 'batched_sequential' ? maxBatchInputs : 1;

/** Returns the waiting inputs that a new batch takes: always one, however large it is. */
export function takeBatch<T extends { data: object }>(queue: ThreadQueue, waiting: readonly T[]): T[] {
  let bytes = 0;
  return waiting.slice(0, batchSize(queue)).filter(({ data }, index) => {
    bytes += JSON.stringify(data).length;
    return index === 0 || bytes <= maxBatchBytes;
  });
}

/** Returns undefined if the queue is not due yet, or another worker has its batch. A batch that was tried before stays the same. */
export function lease(queue: ThreadQueue, command: Lease, now: number): QueueOutcome | undefined {
  const { workerId, leaseMs, batchId, toSeq, entries } = command;
  if (!isDue(queue, now)) return undefined;
  const { nextSeq } = queue;
  const tried = queue.batch && entries !== undefined ? withProgress(queue.batch, entries) : queue.batch;
  if (tried && isUsedUp(tried)) return giveUp(queue, tried, 'No worker finished it within its lease.');
  const batch: Omit<QueueBatch, 'until'> = tried ?? { id: batchId, fromSeq: nextSeq, toSeq, attempts: 0 };
  return {
    queue: {
      ...queue,
      nextSeq: tried ? nextSeq : toSeq + 1,
      batch: { ...batch, attempts: batch.attempts + 1, until: now + leaseMs, holder: { workerId, leaseMs } },
    },
  };
}

/** Number of attempts that count. */
const failures = ({ attempts, forgiven = 0 }: QueueBatch): number => attempts - forgiven;

const isUsedUp = (batch: QueueBatch): boolean => failures(batch) >= maxAttempts;

/** A run that makes progress, even one step with each attempt, does not kill its workers. */
const withProgress = (batch: QueueBatch, entries: number): QueueBatch => ({
  ...batch,
  entries,
  ...(batch.entries !== undefined && entries > batch.entries ? { forgiven: batch.attempts } : {}),
});

/** Takes back a lease that nobody received. The attempt does not count. */
export function giveBack(queue: ThreadQueue, workerId: string, now: number): QueueDecided {
  return asHolder(queue, workerId, (batch) => {
    const { holder: _gone, ...rest } = batch;
    return { queue: { ...queue, batch: { ...rest, attempts: batch.attempts - 1, until: now } } };
  });
}

/** Moves the end of the lease, never to an earlier time. */
export function heartbeat(queue: ThreadQueue, { workerId, extendMs }: Heartbeat, now: number): QueueDecided {
  return asHolder(queue, workerId, (batch, { leaseMs }) => ({
    queue: { ...queue, batch: { ...batch, until: Math.max(batch.until, now + (extendMs ?? leaseMs)) } },
  }));
}

export const complete = (queue: ThreadQueue, workerId: string): QueueDecided =>
  asHolder(queue, workerId, () => ({ queue: withoutBatch(queue) }));

export function failBatch(
  queue: ThreadQueue,
  { workerId, reason, retryable = true, retryDelayMs, released = false }: FailBatch,
  now: number,
): QueueDecided {
  return asHolder(queue, workerId, (batch) => {
    const { holder: _gone, ...rest } = batch;
    if (released) {
      const forgiven = (batch.forgiven ?? 0) + 1;
      return { queue: { ...queue, batch: { ...rest, forgiven, until: now + (retryDelayMs ?? 0) } } };
    }
    if (!retryable || isUsedUp(batch)) return giveUp(queue, batch, reason);
    return { queue: { ...queue, batch: { ...rest, until: now + (retryDelayMs ?? retryMs(failures(batch))) } } };
  });
}

const retryMs = (tries: number): number => Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs);

const giveUp = (queue: ThreadQueue, batch: QueueBatch, reason: string): QueueOutcome => ({
  queue: withoutBatch(queue),
  skipped: { batch, reason },
});

/** An expired lease is valid until another worker takes the batch, so that no work is done twice without need. */
function asHolder(
  { batch }: ThreadQueue,
  workerId: string,
  decide: (batch: QueueBatch, holder: NonNullable<QueueBatch['holder']>) => QueueOutcome,
): QueueDecided {
  const holder = batch?.holder;
  if (batch && holder?.workerId === workerId) return { ok: true, ...decide(batch, holder) };
  const detail = holder ? 'Another worker holds the batch.' : 'The batch waits for its next attempt.';
  const current = batch && { id: batch.id, attempt: batch.attempts, workerId: holder?.workerId };
  return refuse({ code: 'lease-lost', detail, ...defined({ current }) });
}

/** The message in the thread when inputs are given up. It is no input itself. */
export function skipNotice(
  { id, threadId, batch, reason }: { id: string; threadId: string; batch: QueueBatch; reason: string },
  now: number,
): { message: Message; event: NewEvent } {
  const by = systemActor('dispatch');
  const at = timestamp(now);
  const tries = batch.attempts === 1 ? 'one attempt' : `${batch.attempts} attempts`;
  const text = `The agent could not handle the messages or answers above. The server skipped them after ${tries}.`;
  const { id: batchId, fromSeq, toSeq, attempts } = batch;
  const message: Message = {
    id,
    threadId,
    role: 'system',
    blocks: textBlocks(text),
    by,
    at,
    metadata: { dispatch: { batchId, fromSeq, toSeq, attempts, reason } },
  };
  return { message, event: { type: 'message.created', at, actor: by, data: { message } } };
}
