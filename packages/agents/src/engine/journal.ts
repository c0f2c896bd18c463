/** The journal of a run as a replay needs it: each call, and the order in which calls ended. */
import { type HoldpointService, type JournalEntry, limits, type NewJournalEntry, type Run } from '@holdpoint/protocol';

export type CallType = JournalEntry['type'];

export interface RecordedCall {
  call: number;
  type: CallType;
  name: string;
  /** Its notes before it ended, in order. */
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

/** The note of an open question. */
export interface Asked {
  interactionId: string;
  /** Place of the message that cancelled it. */
  interruptedBy?: number;
}

/** The questions of a run that are asked in its journal and not ended there. */
export class OpenQuestions {
  readonly #asked = new Map<number, string>();

  constructor({ calls }: Journal) {
    for (const { call, type, notes, isSettled } of calls.values())
      if (type === 'ask' && !isSettled) this.#asked.set(call, (notes.at(-1) as Asked).interactionId);
  }

  see({ type, call, state, data }: NewJournalEntry): void {
    if (type !== 'ask') return;
    if (state === 'begun') this.#asked.set(call, (data as Asked).interactionId);
    else this.#asked.delete(call);
  }

  ids(): string[] {
    return [...this.#asked.values()];
  }
}
