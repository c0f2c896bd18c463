/** The life of a batch: leased, kept by heartbeats, completed, failed and tried again, or given up. */
import type { Fault } from '@holdpoint/protocol';
import { isDue, type Lane, type LaneBatch, withoutBatch } from './lane.ts';

export const defaultLeaseMs = 30_000;
const maxBatchInputs = 100;
/** An input may have 400 KB; a hundred of those would be a burden to every worker. */
const maxBatchBytes = 1_000_000;
export const maxAttempts = 8;
const firstRetryMs = 500;
const longestRetryMs = 30_000;

/** The lane after it, undefined where nothing is left of it. `skipped` is a batch that was given up. */
export interface LaneOutcome {
  lane: Lane | undefined;
  skipped?: { batch: LaneBatch; reason: string };
}

export type LaneDecided = ({ ok: true } & LaneOutcome) | { ok: false; fault: Fault };

export interface Lease {
  workerId: string;
  leaseMs: number;
  /** Of the batch, if this is its first lease. */
  batchId: string;
  /** Where the batch ends, if this is its first lease. */
  toSeq: number;
  /** How long the journal of its run is, if this is not its first lease and there is one. */
  entries?: number | undefined;
}

/** How many of the waiting inputs a new batch takes. */
export const batchSize = ({ settings }: Lane): number => (settings.mode === 'batched_sequential' ? maxBatchInputs : 1);

/** Those of the waiting inputs that a new batch takes: one in any case, however large it is. */
export function takeBatch<T extends { data: object }>(lane: Lane, waiting: readonly T[]): T[] {
  let bytes = 0;
  return waiting.slice(0, batchSize(lane)).filter(({ data }, index) => {
    bytes += JSON.stringify(data).length;
    return index === 0 || bytes <= maxBatchBytes;
  });
}

/** Undefined before its time, which is also while somebody else has it. A batch that was tried before goes again as it was. */
export function lease(lane: Lane, command: Lease, now: number): LaneOutcome | undefined {
  const { workerId, leaseMs, batchId, toSeq, entries } = command;
  if (!isDue(lane, now)) return undefined;
  const { nextSeq } = lane;
  const tried = lane.batch && entries !== undefined ? countedAnew(lane.batch, entries) : lane.batch;
  if (tried && isUsedUp(tried)) return giveUp(lane, tried, 'No worker finished it within its lease.');
  const batch: Omit<LaneBatch, 'until'> = tried ?? { id: batchId, fromSeq: nextSeq, toSeq, attempts: 0 };
  return {
    lane: {
      ...lane,
      nextSeq: tried ? nextSeq : toSeq + 1,
      batch: { ...batch, attempts: batch.attempts + 1, until: now + leaseMs, holder: { workerId, leaseMs } },
    },
  };
}

/** Those that count. */
const failures = ({ attempts, forgiven = 0 }: LaneBatch): number => attempts - forgiven;

const isUsedUp = (batch: LaneBatch): boolean => failures(batch) >= maxAttempts;

/** A run that goes on, if only a step with each attempt, is not what kills its workers. */
const countedAnew = (batch: LaneBatch, entries: number): LaneBatch => ({
  ...batch,
  entries,
  ...(batch.entries !== undefined && entries > batch.entries ? { forgiven: batch.attempts } : {}),
});

/** A lease that nobody received: as if it had not been. */
export function giveBack(lane: Lane, workerId: string, now: number): LaneDecided {
  return asHolder(lane, workerId, (batch) => {
    const { holder: _gone, ...rest } = batch;
    return { lane: { ...lane, batch: { ...rest, attempts: batch.attempts - 1, until: now } } };
  });
}

/** Moves the end of the lease, never to an earlier time. */
export function heartbeat(
  lane: Lane,
  { workerId, extendMs }: { workerId: string; extendMs?: number },
  now: number,
): LaneDecided {
  return asHolder(lane, workerId, (batch, { leaseMs }) => ({
    lane: { ...lane, batch: { ...batch, until: Math.max(batch.until, now + (extendMs ?? leaseMs)) } },
  }));
}

export const complete = (lane: Lane, workerId: string): LaneDecided =>
  asHolder(lane, workerId, () => ({ lane: withoutBatch(lane) }));

export interface Failure {
  workerId: string;
  reason: string;
  retryable?: boolean;
  retryDelayMs?: number;
  released?: boolean;
}

export function failBatch(
  lane: Lane,
  { workerId, reason, retryable = true, retryDelayMs, released = false }: Failure,
  now: number,
): LaneDecided {
  return asHolder(lane, workerId, (batch) => {
    const { holder: _gone, ...rest } = batch;
    if (released) {
      const forgiven = (batch.forgiven ?? 0) + 1;
      return { lane: { ...lane, batch: { ...rest, forgiven, until: now + (retryDelayMs ?? 0) } } };
    }
    if (!retryable || isUsedUp(batch)) return giveUp(lane, batch, reason);
    return { lane: { ...lane, batch: { ...rest, until: now + (retryDelayMs ?? retryMs(failures(batch))) } } };
  });
}

const retryMs = (tries: number): number => Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs);

const giveUp = (lane: Lane, batch: LaneBatch, reason: string): LaneOutcome => ({
  lane: withoutBatch(lane),
  skipped: { batch, reason },
});

/** A lease that is over is still its holder's until somebody else takes the batch: doing work again helps nobody. */
function asHolder(
  { batch }: Lane,
  workerId: string,
  decide: (batch: LaneBatch, holder: NonNullable<LaneBatch['holder']>) => LaneOutcome,
): LaneDecided {
  const holder = batch?.holder;
  if (batch && holder?.workerId === workerId) return { ok: true, ...decide(batch, holder) };
  const detail = holder ? 'Another worker has the batch now.' : 'The batch waits to be tried again.';
  const current = batch && { id: batch.id, attempt: batch.attempts, workerId: holder?.workerId };
  return { ok: false, fault: { code: 'lease-lost', detail, ...(current ? { current } : {}) } };
}
