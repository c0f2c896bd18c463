import pg from 'pg';
import { outcomeUnknown, storageError } from '../storage-error.ts';

/** The database refused a statement and goes on; anything else means that it is gone, or not there yet. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && !/^(08|57P)/.test(error.code ?? '');
}

/** Statements that are wrong, or values no column can hold: a fault of ours, which a repeat does not mend. */
const isOurFault = (error: unknown): boolean => isRefusal(error) && /^(22|42)/.test(error.code ?? '');

/** The database, or the session, takes no writes. */
export const isReadOnly = (error: unknown): boolean => isRefusal(error) && error.code === '25006';

/** Reports whether another session held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => isRefusal(error) && error.code === '55P03';

/** Reports whether the database ended the statement because it took too long. */
const isTooLong = (error: unknown): boolean => isRefusal(error) && error.code === '57014';

/** What the caller of a read hears. */
export function readError(error: unknown): unknown {
  if (isOurFault(error)) return error;
  return isTooLong(error) ? storageError('the database took too long to read', error) : away(error);
}

/** The reason is for the log: it names hosts, users and tables. */
export const away = (error: unknown) => storageError('the database is away', error);

export const lostOnTheWay = (error: unknown) => outcomeUnknown('the connection to the database was lost', error);
