/** Loads and changes, and once more from the start when somebody else was faster. */
import { fail, HoldpointError } from '@holdpoint/protocol';

/** Each lost race means that another change of the same thing won, so this bounds a crowd, not a fault. */
const maxTries = 100;

/** For callers who named no version, and so cannot be told that theirs is old. */
export async function retried<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof HoldpointError) || error.code !== 'version-conflict') throw error;
    }
  }
  return fail('busy', 'Too many changes to the same thing at once; try again.', { retryAfterMs: 1_000 });
}
