/** Executes the function of a run from its journal until it ends or waits, and saves which. */
import type { HoldpointService, Run } from '@holdpoint/protocol';
import type { Agent } from '../agent.ts';
import { withdraw } from '../calls/ask.ts';
import { Inbox } from '../calls/inbox.ts';
import { JournalRefused, reach } from './breaks.ts';
import { agentContext } from './context.ts';
import { endOfRun } from './end-of-run.ts';
import { Execution } from './execution.ts';
import { loadJournal } from './journal.ts';
import { type End, JournalWriter } from './journal-writer.ts';
import { JournalMismatch } from './mismatch.ts';
import { OpenQuestions } from './open-questions.ts';

export interface ExecuteRun {
  service: HoldpointService;
  agent: Agent;
  /** As it stood when it began to run. */
  run: Run;
  /** By the clock of the server. */
  now(): number;
  /** Ends it at once. */
  signal: AbortSignal;
  /** Told how to end it soon: when what has begun is done. */
  onStarted?(stop: () => void): void;
  /** Told why it failed, with more than the run can keep of it. */
  onFailed?(error: unknown): void;
}

/** Resolves with false where it was stopped before it came to an end or a wait. Throws where it was broken off. */
export async function executeRun(options: ExecuteRun): Promise<boolean> {
  const { service, agent, run, now, signal, onStarted, onFailed } = options;
  const journal = await reach(() => loadJournal(service, run));
  const writer = new JournalWriter(service, run);
  const questions = new OpenQuestions(journal);
  const execution = new Execution({
    journal,
    add: (entry) => {
      questions.see(entry);
      writer.add(entry);
    },
    flush: () => writer.flush(),
    now,
    key: `run:${run.id}`,
    signal,
  });
  onStarted?.(() => execution.stop());
  const inbox = new Inbox(service, run, journal);
  const context = agentContext({ service, run, inbox, now, call: (kind) => execution.call(kind) });
  const ended = await execution
    .run(() => agent.run(context))
    .catch((error: unknown) => {
      if (!(error instanceof JournalMismatch || error instanceof JournalRefused)) throw error;
      writer.discard();
      return { type: 'threw', error } as const;
    });
  if (ended.type === 'released') {
    await writer.flush();
    return false;
  }
  const save = async (end: End): Promise<void> => {
    if (end.status !== 'waiting' && questions.ids().length > 0) {
      // Only by who has the run, and when all that led to its end is saved: nobody can come to hear the answers any more.
      await writer.fence();
      for (const id of questions.ids()) await withdraw(service, id, 'The run that asked is over.');
    }
    await writer.end(end);
    if (end.status === 'failed') onFailed?.(ended.type === 'threw' ? ended.error : new Error(end.error?.message));
  };
  await save(endOfRun(ended)).catch((error: unknown) => {
    if (!(error instanceof JournalRefused)) throw error;
    writer.discard();
    return save(endOfRun({ type: 'threw', error }));
  });
  return true;
}
