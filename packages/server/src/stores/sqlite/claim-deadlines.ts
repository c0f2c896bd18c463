/** Deadlines. Only this process fires them, so who has taken one on is remembered here, and forgotten when it dies. */
import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';

interface DeadlineClaims {
  reads: Pick<Store, 'claimDue' | 'nextDueAt'>;
  /** The interaction was changed, so what its deadline meant is over. */
  release(by: { orgId: string; id: string }): void;
}

export function deadlineClaims(db: DatabaseSync): DeadlineClaims {
  const due = db.prepare(
    `SELECT org_id, id FROM interactions WHERE status = 'pending' AND deadline_at IS NOT NULL AND deadline_at <= ?
     ORDER BY deadline_at LIMIT ?`,
  );
  const nextDue = db.prepare(
    `SELECT deadline_at AS at, org_id, id FROM interactions WHERE status = 'pending' AND deadline_at IS NOT NULL
     ORDER BY deadline_at LIMIT ?`,
  );
  const claims = new Map<string, number>();
  const claimOf = (row: Record<string, unknown>) => claims.get(nameOf(row));

  const reads: DeadlineClaims['reads'] = {
    claimDue: async ({ now, limit, forMs }) => {
      for (const [name, until] of claims) if (until <= now || until > now + forMs) claims.delete(name);
      const free = due.all(now, limit + claims.size).filter((row) => claimOf(row) === undefined);
      return free.slice(0, limit).map((row) => {
        claims.set(nameOf(row), now + forMs);
        return { orgId: String(row.org_id), id: String(row.id) };
      });
    },
    nextDueAt: async () => {
      const times = nextDue.all(claims.size + 1).map((row) => claimOf(row) ?? Number(row.at));
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
  return { reads, release: ({ orgId, id }) => claims.delete(nameOf({ org_id: orgId, id })) };
}

const nameOf = ({ org_id, id }: Record<string, unknown>): string => `${org_id} ${id}`;
