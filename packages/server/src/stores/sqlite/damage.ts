/** Detects that SQLite has met a damaged page, so that the server reports it from then on. */
import type { DatabaseSync } from 'node:sqlite';
import { storageError } from '../storage-error.ts';
import { isDamage } from './thread-failure.ts';

export const damaged = (cause?: unknown) => storageError('the database is damaged; restore it from a backup', cause);

/** Returns the error for a start that meets damage. */
export function explainDamage(file: string, error: unknown): unknown {
  if (!isDamage(error)) return error;
  return new Error(`${file} is damaged (${(error as Error).message}). Restore it from a backup.`, { cause: error });
}

/** Makes every statement that the connection prepares from now on report damage. */
export function noteDamage(db: DatabaseSync, note: () => void): void {
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    const statement = prepare(sql);
    for (const verb of ['get', 'all', 'run'] as const) {
      const run = statement[verb].bind(statement) as (...values: unknown[]) => never;
      statement[verb] = (...values: unknown[]): never => {
        try {
          return run(...values);
        } catch (error) {
          if (!isDamage(error)) throw error;
          note();
          throw damaged(error);
        }
      };
    }
    return statement;
  };
}
