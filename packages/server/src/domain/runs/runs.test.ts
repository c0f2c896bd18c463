import type { AdvanceRun, Fault, Run, RunStatus } from '@holdpoint/protocol';
import { limits } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { timestamp } from '../state.ts';
import { advanceRun } from './advance.ts';
import { type RunCommand, type RunDecided, type RunOutcome, reachableRuns, runTransitions, wakesAt } from './run.ts';
import { beginRun, cancelRun, giveUpRun, restartRun, wakeRun } from './start-and-end.ts';

const now = 1_000_000;
const by = { type: 'agent', id: 'key', via: 'key' } as const;
const of = { id: 'r1', threadId: 't', agent: 'helper', by };
const message = (seq: number) => ({ seq, isMessage: true });
const outcome = (seq: number) => ({ seq, isMessage: false });

function begun(last: Run | undefined, ...inputs: { seq: number; isMessage: boolean }[]): Run {
  const decided = beginRun(last, { ...of, inputs }, now);
  if (!decided) throw new Error('no run');
  return decided.run;
}

function done(decided: RunDecided | undefined): RunOutcome {
  if (!decided?.ok) throw new Error('it was refused');
  return decided;
}

function refused(decided: RunDecided | undefined): Fault {
  if (!decided || decided.ok) throw new Error('it was done');
  return decided.fault;
}

const advance = (run: Run, more: Partial<AdvanceRun> = {}, at = now) =>
  advanceRun(run, { expectedVersion: run.version, by, ...more }, at);
const until = (ms: number) => ({ type: 'time', until: timestamp(now + ms) }) as const;

const running = begun(undefined, message(2));
const waiting = done(advance(running, { status: 'waiting', waitingFor: [until(1_000)] })).run;
const states: Record<RunStatus, Run> = {
  running,
  waiting,
  completed: done(advance(running, { status: 'completed', result: 1 })).run,
  failed: done(advance(running, { status: 'failed', error: { code: 'oops', message: 'It broke' } })).run,
  cancelled: done(cancelRun(running, { by }, now)).run,
};

const commands: Record<RunCommand, (run: Run) => RunDecided | undefined> = {
  begin: (run) => {
    const went = beginRun(run, { ...of, id: 'r2', inputs: [outcome(9)] }, now);
    return went ? { ok: true, ...went } : { ok: false, fault: { code: 'run-ended', detail: '' } };
  },
  advance: (run) => advance(run),
  cancel: (run) => cancelRun(run, { by }, now),
  restart: (run) => restartRun(run, { id: 'r2', by, last: run, agent: 'helper' }, now),
  wake: (run) => wakeRun(run, now + 1_000),
};

const cells = Object.entries(runTransitions).flatMap(([met, row]) =>
  Object.entries(row).map(([command, cell]) => [met as RunStatus, command as RunCommand, cell] as const),
);

test('[RU9] the table has a cell for every status and every command', () => {
  expect(cells).toHaveLength(5 * 5);
});

test.each(cells)('[RU9] %s met by %s: %s', (met, command, cell) => {
  const decided = commands[command](states[met]);
  if (cell === 'decide') {
    const { run } = done(decided);
    if (command === 'restart') expect(run).toMatchObject({ restartOf: 'r1', status: 'running' });
    else expect(reachableRuns[command]).toContain(run.status);
  } else expect(refused(decided).code).toBe(cell);
});

describe('the run of a batch', () => {
  test('[RU1] a new run begins at the first message, and gets the whole batch', () => {
    expect(begun(undefined, outcome(3), message(5), message(8), outcome(9))).toMatchObject({
      ...{ id: 'r1', agent: 'helper', status: 'running', version: 1, entries: 0 },
      ...{ fromSeq: 5, deliveredSeq: 9 },
    });
  });

  test('[RU2] a message that a run has got begins no run, and a later one does', () => {
    const { completed } = states;
    expect(beginRun(completed, { ...of, id: 'r2', inputs: [message(2)] }, now)).toBeUndefined();
    expect(beginRun(completed, { ...of, id: 'r2', inputs: [outcome(7)] }, now)).toBeUndefined();
    expect(begun(completed, message(2), message(4))).toMatchObject({ fromSeq: 4, deliveredSeq: 4 });
  });

  test('[RU1] an open run continues, waits for nothing, and never goes back', () => {
    const later = begun(waiting, outcome(6));
    expect(later).toMatchObject({ id: 'r1', status: 'running', fromSeq: 2, deliveredSeq: 6 });
    expect(later).not.toHaveProperty('waitingFor');
    expect(begun(later, message(2))).toMatchObject({ deliveredSeq: 6, version: later.version + 1 });
  });
});

describe('progress', () => {
  const entry = { call: 1, type: 'step', name: 'send', state: 'done' } as const;

  test('[RU7] entries continue the numbers of the journal, and make no event', () => {
    const first = done(advance(running, { entries: [entry, entry] }));
    expect(first.entries.map(({ index }) => index)).toEqual([1, 2]);
    expect(first.events).toEqual([]);
    const second = done(advance(first.run, { entries: [{ ...entry, call: 2 }] }));
    expect(second.entries).toEqual([{ index: 3, ...entry, call: 2, at: timestamp(now) }]);
    expect(second.run.entries).toBe(3);
  });

  test('[RU7] a journal has a largest length', () => {
    const long = { ...running, entries: limits.journalEntries - 1 };
    expect(advance(long, { entries: [entry] }).ok).toBe(true);
    expect(refused(advance(long, { entries: [entry, entry] })).problems).toMatchObject([{ pointer: '/entries' }]);
  });

  test('[RU8] another version is refused with the current one, unless the run has ended', () => {
    const fault = refused(advance(running, { expectedVersion: 7 }));
    expect(fault).toMatchObject({ code: 'version-conflict', current: { id: 'r1', version: 1, status: 'running' } });
    expect(refused(advance(states.cancelled, { expectedVersion: 1 })).code).toBe('run-ended');
  });
});

describe('commands of others', () => {
  test('[RU10] an invalid time is refused with its pointer', () => {
    const waitingFor = [{ type: 'message' }, { type: 'time', until: 'tomorrow' }] as const;
    expect(advance(running, { status: 'waiting', waitingFor: [...waitingFor] })).toMatchObject({
      ok: false,
      fault: { code: 'invalid-input', problems: [{ pointer: '/waitingFor/1/until', code: 'format' }] },
    });
  });

  test('[RU10] it wakes once, at the earliest of its times', () => {
    const waits = [until(9_000), { type: 'message' } as const, until(5_000)];
    const asleep = done(advance(running, { status: 'waiting', waitingFor: waits })).run;
    expect(wakesAt(asleep)).toBe(now + 5_000);
    expect(wakeRun(asleep, now + 4_999)).toBeUndefined();
    const woken = done(wakeRun(asleep, now + 5_000));
    expect(woken.events.map(({ type }) => type)).toEqual(['run.woken']);
    expect(refused(wakeRun(woken.run, now + 5_000)).code).toBe('run-open');
    expect(wakesAt(done(advance(running, { status: 'waiting', waitingFor: [{ type: 'message' }] })).run)).toBe(
      undefined,
    );
  });

  test('[RU12] only the last run of a thread with an agent can be restarted', () => {
    const restart = (last: Run, agent: string | undefined = 'helper') =>
      restartRun(states.failed, { id: 'r3', by, last, agent }, now);
    expect(done(restart(states.failed, 'other')).run).toMatchObject({ agent: 'other', fromSeq: 2, deliveredSeq: 2 });
    expect(refused(restart({ ...states.completed, id: 'r2' })).code).toBe('run-superseded');
    expect(refused(restart({ ...waiting, id: 'r2' })).code).toBe('run-open');
    expect(refused(restartRun(states.failed, { id: 'r3', by, last: states.failed, agent: undefined }, now)).code).toBe(
      'run-superseded',
    );
  });

  test('[RU15] the run of a batch that is given up fails, even if it had not begun', () => {
    const giveUp = (last: Run | undefined, ...inputs: { seq: number; isMessage: boolean }[]) =>
      giveUpRun(last, { ...of, inputs }, 'Nobody finished it.', now);
    const error = { code: 'given-up', message: 'Nobody finished it.' };
    expect(giveUp(waiting, outcome(6))?.run).toMatchObject({ id: 'r1', status: 'failed', error, deliveredSeq: 6 });
    expect(giveUp(undefined, message(2))).toMatchObject({
      run: { status: 'failed', error, fromSeq: 2 },
      events: [{ type: 'run.started' }, { type: 'run.failed' }],
    });
    expect(giveUp(states.completed, outcome(6))).toBeUndefined();
  });
});
