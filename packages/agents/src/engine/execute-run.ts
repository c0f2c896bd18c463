/** Executes the function of a run from its journal until it ends or waits, and saves that. */
import {
  approval,
  approvalOf,
  defined,
  type FreeObject,
  type HoldpointService,
  limits,
  type Outcome,
  type Run,
  type RunWait,
} from '@holdpoint/protocol';
import type { Agent, AgentContext, AskingOptions, HistoryOptions, RetryPolicy, Said, StepInfo } from '../agent.ts';
import { type AskedQuestion, ask, cancelQuestion } from '../calls/ask.ts';
import { history } from '../calls/history.ts';
import { type InboxPlace, inboxOf, message, say, unread } from '../calls/messages.ts';
import { noted, sleep, step } from '../calls/step.ts';
import { stream } from '../calls/stream.ts';
import { asJson } from './as-json.ts';
import type { CallKind } from './call.ts';
import { JournalMismatch, JournalRefused, reach, runError } from './errors.ts';
import { type Ended, Execution } from './execution.ts';
import { type End, journalWriter, loadJournal, trackQuestion } from './journal.ts';

export interface ExecuteRun {
  service: HoldpointService;
  agent: Agent;
  /** The run in its state when this execution began. */
  run: Run;
  /** By the clock of the server. */
  now(): number;
  /** Ends the execution at once. */
  signal: AbortSignal;
  /** Called with a function that ends the execution when the calls that have begun are done. */
  onStarted?(stop: () => void): void;
  /** Called with the whole error if the run failed. The run keeps only a part of it. */
  onFailed?(error: unknown): void;
}

/** Resolves with false if it was stopped before the function ended or waited. Throws if the execution was broken off. */
export async function executeRun(options: ExecuteRun): Promise<boolean> {
  const { service, agent, run, now, signal, onStarted, onFailed } = options;
  const journal = await reach(() => loadJournal(service, run));
  const { questions } = journal;
  const writer = journalWriter(service, run);
  const execution = new Execution({
    journal,
    add: (entry) => {
      trackQuestion(questions, entry);
      writer.add(entry);
    },
    flush: writer.flush,
    now,
    key: `run:${run.id}`,
    signal,
  });
  onStarted?.(() => execution.stop());
  const inbox = inboxOf(service, run, journal);
  const context = agentContext({ service, runId: run.id, threadId: run.threadId, inbox }, run, now, execution);
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
    if (end.status !== 'waiting' && questions.size > 0) {
      // Only if this worker still has the run, and once everything before its end is saved. After that nobody reads the answers.
      await writer.fence();
      for (const id of questions.values()) await cancelQuestion(service, id, 'The run that asked is over.');
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

/** Makes the context of the agent's function. Every call goes through the journal of its run. */
function agentContext(place: InboxPlace, run: Run, now: () => number, execution: Execution): AgentContext {
  const { service, runId, threadId } = place;
  const call = <T>(kind: CallKind<T>) => execution.call(kind);
  const context = {
    runId,
    threadId,
    say: (said: Said | (() => AsyncGenerator<string, unknown>)) =>
      call(typeof said === 'function' ? stream(place, said) : (say(place, said) as CallKind<unknown>)),
    ask: (question: AskedQuestion, options?: AskingOptions) => call(ask<FreeObject>(place, question, options)),
    approve: async (question: Parameters<typeof approval>[0], options?: AskingOptions) => {
      const asked = ask<FreeObject>(place, approval(question), { ...options, orMessage: false });
      return approvalOf((await call(asked)) as Outcome<FreeObject>);
    },
    step: <T>(name: string, run: (info: StepInfo) => Promise<T> | T, policy?: RetryPolicy) => {
      if (name.length > 0 && name.length <= limits.idLength) return call(step({ service, now }, name, run, policy));
      return Promise.reject(new RangeError(`A step has a name of at most ${limits.idLength} characters.`));
    },
    sleep: (time: number | Date) => call(sleep(time, now)),
    message: () => call(message(place)),
    unread: () => call(unread(place)),
    history: (limit?: number, options?: HistoryOptions) => history({ service, threadId, run }, limit, options),
    now: async () => new Date(await call(noted('now', now))),
    random: () => call(noted('random', Math.random)),
  };
  return context as AgentContext;
}

function endOfRun(ended: Exclude<Ended, { type: 'released' }>): End {
  try {
    if (ended.type === 'waits') return { status: 'waiting', waitingFor: fewWaits(ended.waits) };
    if (ended.type === 'threw') return { status: 'failed', error: runError(ended.error, ended.call) };
    return { status: 'completed', ...defined({ result: asJson(ended.value, 'The agent') }) };
  } catch (error) {
    return { status: 'failed', error: runError(error) };
  }
}

/** Keeps the earliest time and one wait for a message: a run that is woken looks at all its waits. */
function fewWaits(waits: readonly RunWait[]): RunWait[] {
  const times = waits.filter(({ type }) => type === 'time') as { until: string }[];
  const until = times.map((each) => each.until).sort()[0];
  const few: RunWait[] = [
    ...waits.filter(({ type }) => type === 'interaction'),
    ...waits.filter(({ type }) => type === 'message').slice(0, 1),
    ...(until === undefined ? [] : [{ type: 'time', until } as const]),
  ];
  if (few.length <= limits.runWaits) return few;
  throw new RangeError(`The agent waits for ${few.length} things at once, and ${limits.runWaits} is the most.`);
}
