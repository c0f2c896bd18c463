import type { DatabaseSync } from 'node:sqlite';
import type { EncodedChange } from '../sql/encode-change.ts';

export function timerWriter(db: DatabaseSync): (change: EncodedChange) => void {
  const set = db.prepare(
    `INSERT INTO timers (org_id, kind, id, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, kind, id) DO UPDATE SET due_at = excluded.due_at, claimed_from = NULL`,
  );
  const drop = db.prepare('DELETE FROM timers WHERE org_id = ? AND kind = ? AND id = ?');

  return ({ orgId, timers = [] }) => {
    for (const { kind, id, dueAt } of timers)
      if (dueAt === null) drop.run(orgId, kind, id);
      else set.run(orgId, kind, id, dueAt);
  };
}
