import { expect, test } from 'vitest';
import { sharedCheck } from './health.ts';

/** Checks and pauses that end when the test says so. */
function setUp() {
  const checks: PromiseWithResolvers<void>[] = [];
  const pauses: PromiseWithResolvers<void>[] = [];
  const begin = (list: PromiseWithResolvers<void>[]) => () => {
    const one = Promise.withResolvers<void>();
    list.push(one);
    return one.promise;
  };
  return { checks, pauses, isReady: sharedCheck(begin(checks), begin(pauses)) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('[N12] sixty-four calls at once share one check and its result', async () => {
  const { checks, isReady } = setUp();
  const calls = Promise.allSettled(Array.from({ length: 64 }, isReady));
  await turn();
  expect(checks).toHaveLength(1);
  checks[0]?.reject(new Error('a table is locked'));
  expect(new Set((await calls).map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('[N12] a call after a check waits for the pause, and then for a check of its own', async () => {
  const { checks, pauses, isReady } = setUp();
  const first = isReady();
  await turn();
  checks[0]?.resolve();
  await first;
  const later = Promise.allSettled([isReady(), isReady()]);
  await turn();
  expect(checks).toHaveLength(1);
  pauses[0]?.resolve();
  await turn();
  expect(checks).toHaveLength(2);
  checks[1]?.reject(new Error('the file is gone'));
  expect((await later).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
