import type { EncodedChange } from '../sql/encode-change.ts';
import type { Claim, IdempotencyRecord, TimerKind } from '../store.ts';

/** What the writer thread is asked for. A probe is written only to see whether the disk takes it. */
export type WriterJob = EncodedChange | ClaimJob | MoveJob | { probe: string };

export interface ClaimJob {
  claim: {
    kind: TimerKind;
    orgId?: string;
    now: number;
    limit: number;
    until: number;
    /** A timer that is due later than this counts as due now. */
    latest: number;
  };
}

export interface MoveJob {
  move: { claims: readonly Claim[]; until: number };
}

/** What it says of each: the places the events of a change got and the claims that are held, or why nothing was written. */
export type Written =
  | { ok: true; position: number; seq: number; claims?: Claim[] }
  | { ok: false; reason: 'conflict' | 'no-thread' }
  | { ok: false; reason: 'repeated'; earlier: IdempotencyRecord };
