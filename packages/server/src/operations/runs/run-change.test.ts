// cspell:ignore lane
import type { Run } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { runOf } from '../../stores/contract/records.fixture.ts';
import type { Store } from '../../stores/store.ts';
import { mergeChanges, runChange } from './run-change.ts';

const tools = {
  store: { listInteractions: async () => ({ items: [] }) } as unknown as Store,
  clock: { now: () => 0 },
};
const running = runOf('r', 't');
const until = (ms: number): Run => ({
  ...running,
  status: 'waiting',
  waitingFor: [{ type: 'time', until: new Date(ms).toISOString() }],
});
const timers = async (before: Run | undefined, run: Run) =>
  (await runChange(tools, 'o', { run, entries: [], events: [] }, before)).timers;

test('[RU10] a run has a timer while it waits for a time, and none after that', async () => {
  expect(await timers(undefined, running)).toBeUndefined();
  expect(await timers(running, until(5))).toEqual([{ kind: 'run', id: 'r', dueAt: 5 }]);
  for (const after of [running, { ...running, status: 'failed', error: { code: 'oops', message: '' } } as const])
    expect(await timers(until(5), after)).toEqual([{ kind: 'run', id: 'r', dueAt: null }]);
  expect(await timers(running, { ...running, status: 'completed' })).toBeUndefined();
});

test('[RU11][RU15] a run that others have ended has a timer that is due at once and cancels its questions', async () => {
  const givenUp = { ...running, status: 'failed', error: { code: 'given-up', message: '' } } as const;
  for (const ended of [givenUp, { ...running, status: 'cancelled' } as const])
    expect(await timers(until(5), ended)).toEqual([{ kind: 'run', id: 'r', dueAt: 0 }]);
});

test('[RU3] a queue and a run become one change, with the timers and the events of both', () => {
  const timer = (kind: 'lane' | 'run') => ({ kind, id: 't', dueAt: 1 });
  const event = {
    type: 'run.started',
    at: '',
    actor: { type: 'agent', id: 'a', via: 'key' },
    data: { run: running },
  } as const;
  const log = { threadId: 't', events: [event] };
  const run = { record: running, expectedVersion: 0 };
  expect(mergeChanges({ timers: [timer('lane')], log }, { run, timers: [timer('run')], log })).toEqual({
    run,
    timers: [timer('lane'), timer('run')],
    log: { threadId: 't', events: [event, event] },
  });
  expect(mergeChanges({ timers: [timer('lane')] }, { run, log })).toEqual({ run, timers: [timer('lane')], log });
});
