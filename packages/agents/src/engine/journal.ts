/** The journal of a run: loads it for a replay, and saves its entries. */
import {
  type AdvanceRun,
  defined,
  HoldpointError,
  type HoldpointService,
  type JournalEntry,
  limits,
  type NewJournalEntry,
  type Run,
} from '@holdpoint/protocol';
import { type CallType, JournalRefused, reach, Superseded } from './errors.ts';

interface RecordedCall {
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

/** The questions of a run that are open in its journal. */
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

/** Size of one call to the service, whose body may be a megabyte. */
const maxChunkLength = 200_000;

export type End = Pick<AdvanceRun, 'status' | 'waitingFor' | 'result' | 'error'>;

export class JournalWriter {
  readonly #service: HoldpointService;
  #run: Run;
  #unsaved: NewJournalEntry[] = [];
  #saving: Promise<void> = Promise.resolve();

  constructor(service: HoldpointService, run: Run) {
    this.#service = service;
    this.#run = run;
  }

  add(entry: NewJournalEntry): void {
    this.#unsaved.push(entry);
  }

  /** Resolves when all that was added before is saved. */
  flush(): Promise<void> {
    const saved = this.#saving.then(async () => {
      while (this.#unsaved.length > 0) await this.#save({});
    });
    this.#saving = saved;
    // The caller may not wait, and then an error must not end the process.
    saved.catch(() => {});
    return saved;
  }

  /** Drops entries that cannot be saved, so that the failure of the run can be. */
  discard(): void {
    this.#unsaved = [];
    this.#saving = Promise.resolve();
  }

  /** Saves at least once, so that it throws if another worker has advanced the run, even if nothing was added. */
  async fence(): Promise<void> {
    await this.#saving;
    do await this.#save({});
    while (this.#unsaved.length > 0);
  }

  /** Saves the remaining entries with the end, in one call if they fit. */
  async end(end: End): Promise<void> {
    await this.#saving;
    while (true) {
      const isLast = chunkOf(this.#unsaved).length === this.#unsaved.length;
      await this.#save(isLast ? end : {});
      if (isLast) return;
    }
  }

  async #save(end: End): Promise<void> {
    const entries = chunkOf(this.#unsaved);
    const { id: runId, version: expectedVersion } = this.#run;
    const advance = {
      runId,
      expectedVersion,
      ...defined({ entries: entries.length > 0 ? entries : undefined }),
      ...end,
    };
    this.#run = await reach(() => this.#service.advanceRun(advance)).catch(breakOff);
    this.#unsaved.splice(0, entries.length);
  }
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
