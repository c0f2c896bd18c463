/** Why an execution ends though its function has not, told apart from what an agent does wrong itself. */
import { errorTable, HoldpointError } from '@holdpoint/protocol';

/** The service cannot be reached, or does not let us: another try may help, and the agent is not to blame. */
export class Away extends Error {
  override name = 'Away';
}

/** Somebody else has advanced the run, or it has been ended. */
export class Superseded extends Error {
  override name = 'Superseded';
}

/** The journal does not take what it was given, such as an entry too many. */
export class JournalRefused extends Error {
  override name = 'JournalRefused';
}

/** Calls the service for the engine. What it refuses as wrong is thrown as it is. */
export async function reach<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Away(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function isRefusal(error: unknown): error is HoldpointError {
  if (!(error instanceof HoldpointError)) return false;
  const { status, retryable } = { ...errorTable[error.code], ...error.fault };
  return status < 500 && !retryable && error.code !== 'unauthenticated' && error.code !== 'forbidden';
}
