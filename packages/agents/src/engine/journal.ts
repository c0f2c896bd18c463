/** The journal of a run: loads it for a replay, and saves its entries. */
import {
  type AdvanceRun,
  HoldpointError,
  type HoldpointService,
  type JournalEntry,
  limits,
  type NewJournalEntry,
  type Run,
} from '@holdpoint/protocol';
import { JournalRefused, reach, Superseded } from './errors.ts';

export interface Journal {
  /** In the order in which calls ended. */
  settled: JournalEntry[];
  calls: Map<number, RecordedCall>;
  /** The ids of the questions that are open, by their calls. */
  questions: Map<number, string>;
}

interface RecordedCall extends Pick<JournalEntry, 'call' | 'type' | 'name'> {
  /** Its notes before it ended, in order. */
  notes: unknown[];
  isSettled: boolean;
}

export async function loadJournal(service: HoldpointService, { id: runId, entries }: Run): Promise<Journal> {
  const journal: Journal = { settled: [], calls: new Map(), questions: new Map() };
  if (entries === 0) return journal;
  for (let after = 0; ; ) {
    const { data, next } = await service.readJournal({ runId, after, limit: limits.pageSize });
    for (const entry of data) addEntry(journal, entry);
    if (next === undefined) return journal;
    after = Number(next);
  }
}

function addEntry({ settled, calls, questions }: Journal, entry: JournalEntry): void {
  const { call, type, name, state, data } = entry;
  const known = calls.get(call) ?? { call, type, name, notes: [], isSettled: false };
  calls.set(call, known);
  trackQuestion(questions, entry);
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

export function trackQuestion(questions: Journal['questions'], { type, call, state, data }: NewJournalEntry): void {
  if (type !== 'ask') return;
  if (state === 'begun') questions.set(call, (data as Asked).interactionId);
  else questions.delete(call);
}

/** Size of one call to the service, whose body may be a megabyte. */
const maxChunkLength = 200_000;

export type End = Pick<AdvanceRun, 'status' | 'waitingFor' | 'result' | 'error'>;

export function journalWriter(service: HoldpointService, { id: runId, version }: Run) {
  let expectedVersion = version;
  let unsaved: NewJournalEntry[] = [];
  let saving = Promise.resolve();

  async function save(end: End): Promise<void> {
    const entries = chunkOf(unsaved);
    const advance = { runId, expectedVersion, ...(entries.length > 0 && { entries }), ...end };
    expectedVersion = (await reach(() => service.advanceRun(advance)).catch(breakOff)).version;
    unsaved.splice(0, entries.length);
  }

  return {
    add(entry: NewJournalEntry): void {
      unsaved.push(entry);
    },
    /** Resolves when all that was added before is saved. */
    flush(): Promise<void> {
      saving = saving.then(async () => {
        while (unsaved.length > 0) await save({});
      });
      // The caller may not wait, and then an error must not end the process.
      saving.catch(() => {});
      return saving;
    },
    /** Drops entries that cannot be saved, so that the failure of the run can be. */
    discard(): void {
      unsaved = [];
      saving = Promise.resolve();
    },
    /** Saves at least once, so that it throws if another worker has advanced the run, even if nothing was added. */
    async fence(): Promise<void> {
      await saving;
      do await save({});
      while (unsaved.length > 0);
    },
    /** Saves the remaining entries with the end, in one call if they fit. */
    async end(end: End): Promise<void> {
      await saving;
      while (chunkOf(unsaved).length < unsaved.length) await save({});
      await save(end);
    },
  };
}

function chunkOf(entries: readonly NewJournalEntry[]): NewJournalEntry[] {
  let length = 0;
  const end = entries.findIndex((entry) => {
    length += JSON.stringify(entry).length;
    return length > maxChunkLength;
  });
  // A large entry is sent alone.
  return entries.slice(0, Math.min(end === -1 ? entries.length : Math.max(1, end), limits.pageSize));
}

const supersededCodes = ['version-conflict', 'run-ended', 'run-waiting', 'run-not-found'];

function breakOff(error: unknown): never {
  if (!(error instanceof HoldpointError)) throw error;
  const Break = supersededCodes.includes(error.code) ? Superseded : JournalRefused;
  throw new Break(error.message, { cause: error });
}
