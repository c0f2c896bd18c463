/** The journal of a run as a replay needs it: what is known of each call, and in which order they ended. */
import { type HoldpointService, type JournalEntry, limits, type Run } from '@holdpoint/protocol';

export type CallType = JournalEntry['type'];

export interface RecordedCall {
  call: number;
  type: CallType;
  name: string;
  /** What was noted of it before it ended, in order. */
  notes: unknown[];
  isSettled: boolean;
}

export interface Journal {
  /** In the order in which calls ended. */
  settled: JournalEntry[];
  calls: Map<number, RecordedCall>;
}

export async function loadJournal(service: HoldpointService, { id: runId, entries }: Run): Promise<Journal> {
  const journal: Journal = { settled: [], calls: new Map() };
  if (entries === 0) return journal;
  for (let after = 0; ; ) {
    const { data, next } = await service.readJournal({ runId, after, limit: limits.pageSize });
    for (const entry of data) take(journal, entry);
    if (next === undefined) return journal;
    after = Number(next);
  }
}

function take({ settled, calls }: Journal, entry: JournalEntry): void {
  const { call, type, name, state, data } = entry;
  const known = calls.get(call) ?? { call, type, name, notes: [], isSettled: false };
  calls.set(call, known);
  if (state === 'begun') known.notes.push(data);
  else {
    known.isSettled = true;
    settled.push(entry);
  }
}
