import type { DatabaseSync } from 'node:sqlite';
import type { EncodedChange } from '../sql/encode-change.ts';

interface RunWriter {
  /** Whether the run has another version than expected, or its thread another run that is open. */
  isOvertaken(change: EncodedChange): boolean;
  write(change: EncodedChange): void;
}

export function runWriter(db: DatabaseSync): RunWriter {
  const find = db.prepare('SELECT version FROM runs WHERE org_id = ? AND id = ?');
  const findOpen = db.prepare(
    `SELECT id FROM runs WHERE org_id = ? AND thread_id = ? AND status IN ('running', 'waiting')`,
  );
  const add = db.prepare(
    'INSERT INTO runs (org_id, id, thread_id, agent, status, version, record) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const set = db.prepare('UPDATE runs SET status = ?, version = ?, record = ? WHERE org_id = ? AND id = ?');
  const addEntry = db.prepare('INSERT INTO journal (org_id, run_id, idx, record) VALUES (?, ?, ?, ?)');

  return {
    isOvertaken({ orgId, run }) {
      if (!run) return false;
      if ((find.get(orgId, run.id)?.version ?? 0) !== run.expectedVersion) return true;
      const open = run.isOpen ? findOpen.get(orgId, run.threadId) : undefined;
      return open !== undefined && open.id !== run.id;
    },
    write({ orgId, run, newEntries = [] }) {
      if (!run) return;
      const { id, threadId, agent, status, version, expectedVersion, record } = run;
      if (expectedVersion === 0) add.run(orgId, id, threadId, agent, status, version, record);
      else set.run(status, version, record, orgId, id);
      for (const entry of newEntries) addEntry.run(orgId, id, entry.index, entry.record);
    },
  };
}
