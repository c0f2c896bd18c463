import pg from 'pg';
import { outcomeUnknown, storageError } from '../storage-error.ts';

/** Reports whether the database refused a statement and continues. Any other error means that it is unavailable. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && !/^(08|57P)/.test(error.code ?? '');
}

/** Reports whether the database or the session accepts no writes. */
export const isReadOnly = (error: unknown): boolean => isRefusal(error) && error.code === '25006';

/** Reports whether another session held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => isRefusal(error) && error.code === '55P03';

/** Returns the error for the caller of a read. */
export function readError(error: unknown): unknown {
  // The statement is wrong, or a value fits no column. This is our mistake, and a retry would fail too.
  if (isRefusal(error) && /^(22|42)/.test(error.code ?? '')) return error;
  // The database ends a statement that takes too long.
  const isTooLong = isRefusal(error) && error.code === '57014';
  return isTooLong ? storageError('the database took too long to read', error) : away(error);
}

/** The cause is only for the log, because it names hosts, users and tables. */
export const away = (error: unknown) => storageError('the database is unavailable', error);

export const lostOnTheWay = (error: unknown) => outcomeUnknown('the connection to the database was lost', error);
