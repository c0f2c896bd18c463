import type { DatabaseSync } from 'node:sqlite';
import type { Found, ReadTogether } from '../sql/gather-reads.ts';

/** One transaction for all, as every one locks and unlocks the file; it is over before anybody else has a turn. */
export function readTogether(db: DatabaseSync): ReadTogether {
  const find = db.prepare('SELECT record FROM interactions WHERE org_id = ? AND id = ?');
  const begin = db.prepare('BEGIN');
  const end = db.prepare('ROLLBACK');
  return (wanted) => {
    begin.run();
    const found = wanted.map(({ orgId, id }): Found => {
      try {
        return find.get(orgId, id)?.record as string | undefined;
      } catch (error) {
        return error as Error;
      }
    });
    try {
      end.run();
    } catch {
      // SQLite has ended it by itself, as it may when the disk fails.
    }
    return found;
  };
}
