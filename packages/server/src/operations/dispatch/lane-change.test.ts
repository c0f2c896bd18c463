import { expect, test } from 'vitest';
import { arrive } from '../../domain/dispatch/arrive.ts';
import type { Lane } from '../../domain/dispatch/lane.ts';
import { settingsOf } from '../../domain/dispatch/settings.ts';
import { laneChange } from './lane-change.ts';

const now = 1_000;
const tools = { now, newId: () => 'id' };
const laneOf = (agent?: string, before?: Lane, seq = 1): Lane =>
  arrive(before, { threadId: 't', agent, seq, at: now, isMessage: true }, settingsOf({ hasAgent: true }), now);
const change = (before: Lane | undefined, lane: Lane | undefined) =>
  laneChange({ id: 't', threadId: 't', before: before && { revision: 'r', record: before }, lane }, tools).timers;

test('[RU4] a lane has one timer, of the kind of its agent, and none when it is gone', () => {
  expect(change(undefined, laneOf())).toEqual([{ kind: 'lane', id: 't', dueAt: now }]);
  expect(change(undefined, laneOf('a'))).toEqual([{ kind: 'lane a', id: 't', dueAt: now }]);
  expect(change(laneOf('a'), laneOf('a', laneOf('a'), 2))).toEqual([{ kind: 'lane a', id: 't', dueAt: now }]);
  expect(change(laneOf('a'), undefined)).toEqual([{ kind: 'lane a', id: 't', dueAt: null }]);
});

test('[RU6] a lane that becomes another agent’s leaves no timer with the one it was', () => {
  for (const [was, is] of [
    ['a', 'b'],
    ['a', undefined],
    [undefined, 'b'],
  ]) {
    const kinds = [was, is].map((agent) => (agent === undefined ? 'lane' : `lane ${agent}`));
    expect(change(laneOf(was), laneOf(is, laneOf(was), 2))).toEqual([
      { kind: kinds[0], id: 't', dueAt: null },
      { kind: kinds[1], id: 't', dueAt: now },
    ]);
  }
});
