/** Progress of a run: adds entries to its journal, and lets it go on, wait or end. */
import {
  type Actor,
  type AdvanceRun,
  checkJson,
  defined,
  isTimestamp,
  type JournalEntry,
  limits,
  type Problem,
  pointer,
  type Run,
  sentenceOf,
} from '@holdpoint/protocol';
import { timestamp, versionConflict } from '../state.ts';
import { currentRun, nextRun, type RunDecided, type RunEventType, refusal, refuseRun, runEvent } from './run.ts';

type Advanced = NonNullable<AdvanceRun['status']>;

/** A command that only appends to the journal emits no event. */
const eventTypes: Record<Advanced, RunEventType | undefined> = {
  running: undefined,
  waiting: 'run.waiting',
  completed: 'run.completed',
  failed: 'run.failed',
};

export function advanceRun(before: Run, command: AdvanceRun & { by: Actor }, now: number): RunDecided {
  const { expectedVersion, status = 'running', waitingFor, result, error, by } = command;
  const isOver = refusal(before, 'advance');
  if (isOver?.code === 'run-ended') return refuseRun(isOver);
  if (expectedVersion !== before.version)
    return refuseRun(versionConflict(expectedVersion, { ...currentRun(before), version: before.version }));
  if (isOver) return refuseRun(isOver);
  const problems = [...partProblems(command, status), ...timeProblems(command), ...entryProblems(before, command)];
  if (problems.length > 0) return refuseRun({ code: 'invalid-input', detail: sentenceOf(problems), problems });
  const entries = numbered(before, command.entries ?? [], timestamp(now));
  const run = nextRun(before, now, {
    status,
    entries: before.entries + entries.length,
    ...defined({ waitingFor, result, error }),
  });
  const type = eventTypes[status];
  return { ok: true, run, entries, events: type ? [runEvent(type, by, run)] : [] };
}

const numbered = ({ entries: length }: Run, entries: NonNullable<AdvanceRun['entries']>, at: string): JournalEntry[] =>
  entries.map((entry, place) => ({ index: length + place + 1, ...entry, at }));

/** Checks that each property is sent with its status. */
function partProblems({ waitingFor, result, error }: AdvanceRun, status: Advanced): Problem[] {
  const belongs = (name: string, value: unknown, to: Advanced): Problem[] =>
    value === undefined || status === to
      ? []
      : [{ pointer: pointer('', name), code: 'status', message: `${name} goes with status ${to} and no other.` }];
  const isNeeded = (name: string, value: unknown, by: Advanced): Problem[] =>
    value !== undefined || status !== by
      ? []
      : [{ pointer: pointer('', name), code: 'required', message: `Status ${by} takes ${name}.` }];
  return [
    ...belongs('waitingFor', waitingFor, 'waiting'),
    ...belongs('result', result, 'completed'),
    ...belongs('error', error, 'failed'),
    ...isNeeded('waitingFor', waitingFor, 'waiting'),
    ...isNeeded('error', error, 'failed'),
  ];
}

/** An invalid time would never wake the run, or be rejected by the store. */
const timeProblems = ({ waitingFor = [] }: AdvanceRun): Problem[] =>
  waitingFor.flatMap((wait, place) =>
    wait.type !== 'time' || isTimestamp(wait.until)
      ? []
      : [
          {
            pointer: pointer('', 'waitingFor', place, 'until'),
            code: 'format',
            message: 'Send an RFC 3339 date-time, such as 2030-01-31T12:00:00Z.',
          },
        ],
  );

function entryProblems(before: Run, { entries = [], result }: AdvanceRun): Problem[] {
  const bounds = { maxBytes: limits.journalEntryBytes, maxDepth: limits.jsonDepth };
  const check = (value: unknown, at: string) => (value === undefined ? [] : checkJson(value, bounds, at));
  const problems = [
    ...entries.flatMap(({ data }, place) => check(data, pointer('', 'entries', place, 'data'))),
    ...check(result, '/result'),
  ];
  if (before.entries + entries.length <= limits.journalEntries) return problems;
  const message = `A journal has at most ${limits.journalEntries} entries, and this one has ${before.entries}.`;
  return [...problems, { pointer: '/entries', code: 'max-items', message }];
}
