/** Reads of runs and of their journals. */
import type { JournalEntry, Run } from '@holdpoint/protocol';
import type { Store } from '../store.ts';
import { listing } from './list-records.ts';
import type { Select } from './select.ts';

export type RunReads = Pick<Store, 'getRun' | 'listRuns' | 'readJournal'>;

export function runReads(select: Select): RunReads {
  const list = listing(select);
  return {
    getRun: async ({ orgId, id }) => {
      const [row] = await select('SELECT record FROM runs WHERE org_id = ? AND id = ?', orgId, id);
      return row && (JSON.parse(String(row.record)) as Run);
    },
    listRuns: ({ orgId, threadId, status, agent, order, cursor, limit }) =>
      list<Run>({
        table: 'runs',
        where: { org_id: orgId, thread_id: threadId, status, agent },
        by: 'id',
        isDescending: order === 'newest',
        cursor,
        limit,
      }),
    readJournal: async ({ orgId, runId, after, limit }) => {
      const rows = await select(
        'SELECT record FROM journal WHERE org_id = ? AND run_id = ? AND idx > ? ORDER BY idx LIMIT ?',
        ...[orgId, runId, after, limit],
      );
      return rows.map(({ record }) => JSON.parse(String(record)) as JournalEntry);
    },
  };
}
