/**
 * Who has taken timers on. A claim is a write like any other: the writer thread does one after the other, so no timer is
 * ever in two hands. `claimed_from` remembers when it was due, because all claims of a process end with it.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Claim, Store, TimerKind } from '../store.ts';
import type { ClaimJob, MoveJob } from './writer-job.ts';

/** In the writer thread. */
export function claimWriter(db: DatabaseSync) {
  const due = 'due_at <= ? ORDER BY due_at, org_id, id LIMIT ?';
  const dueOfAll = db.prepare(`SELECT org_id, id FROM timers WHERE kind = ? AND ${due}`);
  const dueOfOrg = db.prepare(`SELECT org_id, id FROM timers WHERE org_id = ? AND kind = ? AND ${due}`);
  const take = db.prepare(
    `UPDATE timers SET due_at = ?, claimed_from = coalesce(claimed_from, due_at)
     WHERE org_id = ? AND kind = ? AND id = ?`,
  );
  const moveOne = db.prepare(
    `UPDATE timers SET due_at = ? WHERE org_id = ? AND kind = ? AND id = ? AND due_at = ? AND claimed_from IS NOT NULL`,
  );

  return {
    claim({ claim: { kind, orgId, now, limit, until } }: ClaimJob): Claim[] {
      const rows = orgId === undefined ? dueOfAll.all(kind, now, limit) : dueOfOrg.all(orgId, kind, now, limit);
      return rows.map((row) => {
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

/** At the start: whoever had claims is gone. */
export function releaseClaims(db: DatabaseSync): void {
  db.exec('UPDATE timers SET due_at = claimed_from, claimed_from = NULL WHERE claimed_from IS NOT NULL');
}

type Claims = Pick<Store, 'claimDue' | 'moveClaims' | 'nextDueAt'>;

/** In the main thread. */
export function timerClaims(db: DatabaseSync, write: (job: ClaimJob | MoveJob) => Promise<Claim[]>): Claims {
  const nextOfAll = db.prepare('SELECT due_at FROM timers WHERE kind = ? ORDER BY due_at LIMIT 1');
  const nextOfOrg = db.prepare('SELECT due_at FROM timers WHERE org_id = ? AND kind = ? ORDER BY due_at LIMIT 1');
  const nextDueAt = ({ kind, orgId }: { kind: TimerKind; orgId?: string }): number | undefined => {
    const row = orgId === undefined ? nextOfAll.get(kind) : nextOfOrg.get(orgId, kind);
    return row && Number(row.due_at);
  };
  return {
    async claimDue({ forMs, ...due }) {
      // Most looks find nothing; they cost no write.
      if ((nextDueAt(due) ?? Number.POSITIVE_INFINITY) > due.now) return [];
      return write({ claim: { ...due, until: due.now + forMs } });
    },
    moveClaims: async (move) => (move.claims.length === 0 ? [] : write({ move })),
    nextDueAt: async (by) => nextDueAt(by),
  };
}
