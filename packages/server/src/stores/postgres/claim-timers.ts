/** Claims timers for the first node that asks. A claim moves `due_at` ahead, so the timers of a dead node become due again. */
import type { SqlValue } from '../sql/select.ts';
import type { Claim, Store, TimerKind } from '../store.ts';
import type { SelectOver } from './reads.ts';
import { textArray } from './text-array.ts';

interface Which {
  kind: TimerKind;
  orgId?: string;
}

const conditionOf = ({ orgId }: Which) => (orgId === undefined ? 'kind = ?' : 'org_id = ? AND kind = ?');
const valuesOf = ({ kind, orgId }: Which): SqlValue[] => (orgId === undefined ? [kind] : [orgId, kind]);
/** The index across orgs is an index of this expression. */
const dueAtOf = ({ orgId }: Which) => (orgId === undefined ? 'due_at + 0' : 'due_at');

const findSql = (which: Which, comparison: '<=' | '>') => `
    SELECT org_id, kind, id, due_at FROM timers WHERE ${conditionOf(which)} AND ${dueAtOf(which)} ${comparison} ?
    ORDER BY ${dueAtOf(which)} LIMIT ? FOR UPDATE SKIP LOCKED`;

/** `late` finds timers that are further ahead than any timer should be. */
const claimSql = (which: Which) => `
  WITH due AS (${findSql(which, '<=')}), late AS (${findSql(which, '>')}),
  taken AS (SELECT * FROM due UNION ALL SELECT * FROM late LIMIT ?)
  UPDATE timers t SET due_at = ? FROM taken
  WHERE t.org_id = taken.org_id AND t.kind = taken.kind AND t.id = taken.id
  RETURNING t.org_id, t.id, taken.due_at AS was_due_at`;

/** Finds claims by their keys, because many claims end at the same time. Skips a claim that another session moves now. */
const moveSql = `
  WITH held AS (
    SELECT t.org_id, t.kind, t.id, claim.place
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) WITH ORDINALITY AS claim(org_id, kind, id, until, place)
    JOIN timers t ON t.org_id = claim.org_id AND t.kind = claim.kind AND t.id = claim.id
    WHERE t.due_at - claim.until::bigint = 0 FOR UPDATE OF t SKIP LOCKED
  )
  UPDATE timers t SET due_at = ? FROM held WHERE t.org_id = held.org_id AND t.kind = held.kind AND t.id = held.id
  RETURNING held.place`;

export function timerClaims(select: SelectOver): Pick<Store, 'claimDue' | 'moveClaims' | 'nextDueAt'> {
  return {
    claimDue: async ({ now, limit, forMs, longestMs = Number.POSITIVE_INFINITY, ...which }) => {
      const until = now + forMs;
      const latest = Math.min(now + longestMs, Number.MAX_SAFE_INTEGER);
      const values = valuesOf(which);
      const rows = await select(claimSql(which), ...values, now, limit, ...values, latest, limit, limit, until);
      return rows
        .sort((a, b) => Number(a.was_due_at) - Number(b.was_due_at))
        .map(({ org_id, id }) => ({ kind: which.kind, orgId: String(org_id), id: String(id), until }));
    },
    moveClaims: async ({ claims, until }) => {
      if (claims.length === 0) return [];
      const column = (of: (claim: Claim) => string) => textArray(claims.map(of));
      const rows = await select(
        moveSql,
        column(({ orgId }) => orgId),
        column(({ kind }) => kind),
        column(({ id }) => id),
        column((claim) => String(claim.until)),
        until,
      );
      const places = new Set(rows.map(({ place }) => Number(place)));
      return claims.filter((_claim, index) => places.has(index + 1)).map((claim) => ({ ...claim, until }));
    },
    nextDueAt: async (which) => {
      const sql = `SELECT due_at FROM timers WHERE ${conditionOf(which)} ORDER BY ${dueAtOf(which)} LIMIT 1`;
      const [row] = await select(sql, ...valuesOf(which));
      return row && Number(row.due_at);
    },
  };
}
