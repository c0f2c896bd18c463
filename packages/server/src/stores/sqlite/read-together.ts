import type { DatabaseSync } from 'node:sqlite';
import type { ReadTogether } from '../sql/gather-reads.ts';

/** One transaction for all, as every one locks and unlocks the file; it is over before anybody else has a turn. */
export function readTogether(db: DatabaseSync): ReadTogether {
  const find = db.prepare('SELECT record FROM interactions WHERE org_id = ? AND id = ?');
  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  return (wanted) => {
    begin.run();
    try {
      return wanted.map(({ orgId, id }) => find.get(orgId, id)?.record as string | undefined);
    } finally {
      end.run();
    }
  };
}
