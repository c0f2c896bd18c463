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
  type Run,
  sentenceOf,
} from '@holdpoint/protocol';
import { refuse } from '../command.ts';
import { timestamp, versionConflict } from '../state.ts';
import { currentRun, nextRun, type RunDecided, type RunEventType, refusal, runEvent } from './run.ts';

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
  if (isOver?.code === 'run-ended') return refuse(isOver);
  if (expectedVersion !== before.version)
    return refuse(versionConflict(expectedVersion, { ...currentRun(before), version: before.version }));
  if (isOver) return refuse(isOver);
  const problems = [...partProblems(command, status), ...timeProblems(command), ...entryProblems(before, command)];
  if (problems.length > 0) return refuse({ code: 'invalid-input', detail: sentenceOf(problems), problems });
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
  entries.map((entry, position) => ({ index: length + position + 1, ...entry, at }));

/** Properties that go with one status only. */
const parts = [
  { name: 'waitingFor', owner: 'waiting', isRequired: true },
  { name: 'result', owner: 'completed', isRequired: false },
  { name: 'error', owner: 'failed', isRequired: true },
] as const;

/** Checks that each property is sent with its status. */
const partProblems = (command: AdvanceRun, status: Advanced): Problem[] => [
  ...parts
    .filter(({ name, owner }) => command[name] !== undefined && status !== owner)
    .map(({ name, owner }) => {
      return { pointer: `/${name}`, code: 'status', message: `${name} goes with status ${owner} and no other.` };
    }),
  ...parts
    .filter(({ name, owner, isRequired }) => isRequired && command[name] === undefined && status === owner)
    .map(({ name }) => ({ pointer: `/${name}`, code: 'required', message: `Status ${status} takes ${name}.` })),
];

/** An invalid time would never wake the run, or be rejected by the store. */
const timeProblems = ({ waitingFor = [] }: AdvanceRun): Problem[] =>
  waitingFor.flatMap((wait, index) => {
    if (wait.type !== 'time' || isTimestamp(wait.until)) return [];
    const message = 'Send an RFC 3339 date-time, such as 2030-01-31T12:00:00Z.';
    return [{ pointer: `/waitingFor/${index}/until`, code: 'format', message }];
  });

function entryProblems(before: Run, { entries = [], result }: AdvanceRun): Problem[] {
  const bounds = { maxBytes: limits.journalEntryBytes, maxDepth: limits.jsonDepth };
  const check = (value: unknown, at: string) => (value === undefined ? [] : checkJson(value, bounds, at));
  const problems = [
    ...entries.flatMap(({ data }, index) => check(data, `/entries/${index}/data`)),
    ...check(result, '/result'),
  ];
  if (before.entries + entries.length <= limits.journalEntries) return problems;
  const message = `A journal has at most ${limits.journalEntries} entries, and this one has ${before.entries}.`;
  return [...problems, { pointer: '/entries', code: 'max-items', message }];
}
