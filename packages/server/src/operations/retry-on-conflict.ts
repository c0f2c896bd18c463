import { fail } from '@holdpoint/protocol';
import type { Committed } from '../stores/store.ts';

type Conflict = Extract<Committed, { reason: 'conflict' }>;

/** Returned by an attempt that has to load and decide once more. */
export const conflict: Conflict = { ok: false, reason: 'conflict' };

/** Another commit succeeds each time an attempt conflicts, so only a crowd of writers reaches this limit. */
const maxAttempts = 100;

/**
 * Runs a write: the attempt loads, decides and commits. Runs it again when it returns a conflict, which means that
 * another commit changed the same record in between. Any other result of a commit is returned.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | Conflict>): Promise<T> {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const result = await attempt();
    const isConflict = typeof result === 'object' && result !== null && 'reason' in result;
    if (!isConflict || result.reason !== conflict.reason) return result as T;
  }
  return fail('busy', 'Too many concurrent changes to the same record. Retry.', { retryAfterMs: 1_000 });
}
