/** Reads of runs and of their journals. */
import type { JournalEntry, Run } from '@holdpoint/protocol';
import type { Store } from '../store.ts';
import { byRow, type listing, type Which } from './list-records.ts';
import { readFitting } from './page-bytes.ts';
import type { ReadsOf, Select } from './select.ts';

export type RunReads = Pick<Store, 'getRun' | 'listRuns' | 'readJournal'>;

export function runReads(select: Select, readsOf: ReadsOf, list: ReturnType<typeof listing>): RunReads {
  return {
    getRun: async ({ orgId, id }) => {
      const [row] = await select('SELECT record FROM runs WHERE org_id = ? AND id = ?', orgId, id);
      return row && (JSON.parse(String(row.record)) as Run);
    },
    listRuns: ({ order, cursor, limit, ...filter }) =>
      list<Run>({ ...runs(filter), by: 'id', isDescending: order === 'newest', cursor, limit }),
    readJournal: async ({ orgId, runId, after, limit }) => {
      const { rows, isFull } = await readFitting({
        ...{ select: readsOf(orgId).one, columns: 'idx', text: 'record', limit },
        from: 'FROM journal WHERE org_id = ? AND run_id = ? AND idx > ? ORDER BY idx',
        values: [orgId, runId, after],
      });
      const items = rows.map(({ record }) => JSON.parse(String(record)) as JournalEntry);
      return { items, ...(isFull ? { next: String(rows.at(-1)?.idx) } : {}) };
    },
  };
}

/** Chooses the index that leaves the fewest rows to examine. */
function runs({ orgId, threadId, status, agent }: Omit<RunsOf, 'order' | 'cursor' | 'limit'>): Which {
  const table = 'runs';
  const org_id = orgId;
  const [isInState, isOf] = [{ [byRow('status')]: status }, { [byRow('agent')]: agent }];
  if (threadId !== undefined) {
    const rest = { ...isInState, ...isOf };
    return { table, index: 'runs_by_thread', where: { org_id, thread_id: threadId }, rest };
  }
  if (agent !== undefined) return { table, index: 'runs_by_agent', where: { org_id, agent }, rest: isInState };
  return { table, where: { org_id, status } };
}

type RunsOf = Parameters<Store['listRuns']>[0];
