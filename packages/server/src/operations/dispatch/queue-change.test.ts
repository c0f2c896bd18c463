// cspell:ignore lane
import { expect, test } from 'vitest';
import { enqueue, settingsOf, type ThreadQueue } from '../../domain/dispatch/thread-queue.ts';
import { queueChange } from './queue-change.ts';

const now = 1_000;
const tools = { now, newId: () => 'id' };
const queueOf = (agent?: string, before?: ThreadQueue, seq = 1): ThreadQueue =>
  enqueue(before, { threadId: 't', agent, seq, at: now, isMessage: true }, settingsOf({ hasAgent: true }), now);
const change = (before: ThreadQueue | undefined, queue: ThreadQueue | undefined) =>
  queueChange({ before: before ? { id: 't', revision: 'r', record: before } : { id: 't' }, queue }, tools).timers;

test('[RU4] a queue has one timer, of the kind of its agent, and none after it is removed', () => {
  expect(change(undefined, queueOf())).toEqual([{ kind: 'lane', id: 't', dueAt: now }]);
  expect(change(undefined, queueOf('a'))).toEqual([{ kind: 'lane a', id: 't', dueAt: now }]);
  expect(change(queueOf('a'), queueOf('a', queueOf('a'), 2))).toEqual([{ kind: 'lane a', id: 't', dueAt: now }]);
  expect(change(queueOf('a'), undefined)).toEqual([{ kind: 'lane a', id: 't', dueAt: null }]);
});

test('[RU6] a queue that gets another agent has no timer of the earlier agent', () => {
  for (const [was, is] of [
    ['a', 'b'],
    ['a', undefined],
    [undefined, 'b'],
  ]) {
    const kinds = [was, is].map((agent) => (agent === undefined ? 'lane' : `lane ${agent}`));
    expect(change(queueOf(was), queueOf(is, queueOf(was), 2))).toEqual([
      { kind: kinds[0], id: 't', dueAt: null },
      { kind: kinds[1], id: 't', dueAt: now },
    ]);
  }
});
