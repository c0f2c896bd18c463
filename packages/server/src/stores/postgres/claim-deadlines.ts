/** Deadlines, fired by whichever node takes them on: a claim moves `due_at` ahead, so those of a dead node fall due again. */
import type { Select } from '../sql/read-records.ts';
import type { Store } from '../store.ts';

const claim = `
  WITH taken AS (
    SELECT org_id, interaction_id, due_at FROM deadlines WHERE due_at <= ?
    ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED
  )
  UPDATE deadlines d SET due_at = ? FROM taken
  WHERE d.org_id = taken.org_id AND d.interaction_id = taken.interaction_id
  RETURNING d.org_id, d.interaction_id AS id, taken.due_at AS was_due_at`;

export function deadlineClaims(select: Select): Pick<Store, 'claimDue' | 'nextDueAt'> {
  return {
    claimDue: async ({ now, limit, forMs }) =>
      (await select(claim, now, limit, now + forMs))
        .sort((a, b) => Number(a.was_due_at) - Number(b.was_due_at))
        .map(({ org_id, id }) => ({ orgId: String(org_id), id: String(id) })),
    nextDueAt: async () => {
      const [row] = await select('SELECT due_at FROM deadlines ORDER BY due_at LIMIT 1');
      return row && Number(row.due_at);
    },
  };
}
