/**
 * Claims timers. A claim is a job of the writer thread, which does one after the other, so no timer is claimed twice.
 * `claimed_from` keeps the due time, because the claims of a process end with the process.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Claim, Store, TimerKind } from '../store.ts';

/** Runs in the writer thread. */
export function claimWriter(db: DatabaseSync) {
  const find = (where: string) =>
    db.prepare(`SELECT org_id, id FROM timers WHERE ${where} ORDER BY due_at, org_id, id LIMIT ?`);
  const ofAll = 'kind = ?';
  const ofOrg = 'org_id = ? AND kind = ?';
  const due = { ofAll: find(`${ofAll} AND due_at <= ?`), ofOrg: find(`${ofOrg} AND due_at <= ?`) };
  const late = { ofAll: find(`${ofAll} AND due_at > ?`), ofOrg: find(`${ofOrg} AND due_at > ?`) };
  const take = db.prepare(
    `UPDATE timers SET due_at = ?, claimed_from = coalesce(claimed_from, due_at)
     WHERE org_id = ? AND kind = ? AND id = ?`,
  );
  const moveOne = db.prepare(
    `UPDATE timers SET due_at = ? WHERE org_id = ? AND kind = ? AND id = ? AND due_at = ? AND claimed_from IS NOT NULL`,
  );

  return {
    claim({ claim: { kind, orgId, now, limit, until, latest } }: ClaimJob): Claim[] {
      const select = ({ ofAll, ofOrg }: typeof due, at: number) =>
        orgId === undefined ? ofAll.all(kind, at, limit) : ofOrg.all(orgId, kind, at, limit);
      return [...select(due, now), ...select(late, latest)].slice(0, limit).map((row) => {
        const claim = { kind, orgId: String(row.org_id), id: String(row.id), until };
        take.run(until, claim.orgId, kind, claim.id);
        return claim;
      });
    },
    move: ({ move: { claims, until } }: MoveJob): Claim[] =>
      claims
        .filter((claim) => moveOne.run(until, claim.orgId, claim.kind, claim.id, claim.until).changes === 1)
        .map((claim) => ({ ...claim, until })),
  };
}

/** Call it at the start, when the process that had the claims has ended. */
export function releaseClaims(db: DatabaseSync): void {
  db.exec('UPDATE timers SET due_at = claimed_from, claimed_from = NULL WHERE claimed_from IS NOT NULL');
}

type Claims = Pick<Store, 'claimDue' | 'moveClaims' | 'nextDueAt'>;

/** Runs in the main thread. */
export function timerClaims(db: DatabaseSync, write: (job: ClaimJob | MoveJob) => Promise<Claim[]>): Claims {
  const dueAtOf = (order: 'ASC' | 'DESC') => {
    const ofAll = db.prepare(`SELECT due_at FROM timers WHERE kind = ? ORDER BY due_at ${order} LIMIT 1`);
    const ofOrg = db.prepare(
      `SELECT due_at FROM timers WHERE org_id = ? AND kind = ? ORDER BY due_at ${order} LIMIT 1`,
    );
    return ({ kind, orgId }: { kind: TimerKind; orgId?: string }): number | undefined => {
      const row = orgId === undefined ? ofAll.get(kind) : ofOrg.get(orgId, kind);
      return row && Number(row.due_at);
    };
  };
  const nextDueAt = dueAtOf('ASC');
  const lastDueAt = dueAtOf('DESC');
  return {
    async claimDue({ forMs, longestMs = Number.POSITIVE_INFINITY, ...due }) {
      const latest = Math.min(due.now + longestMs, Number.MAX_SAFE_INTEGER);
      // Most calls find no due timer. These cost no write.
      const isDue = (nextDueAt(due) ?? Number.POSITIVE_INFINITY) <= due.now;
      if (!isDue && (longestMs === Number.POSITIVE_INFINITY || (lastDueAt(due) ?? 0) <= latest)) return [];
      return write({ claim: { ...due, until: due.now + forMs, latest } });
    },
    moveClaims: async (move) => (move.claims.length === 0 ? [] : write({ move })),
    nextDueAt: async (by) => nextDueAt(by),
  };
}

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
