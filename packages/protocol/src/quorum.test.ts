import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filledPlaces, type GroupCount, isQuorum } from './quorum.ts';

const two = { group: 'finance', count: 2 };
const one = { group: 'legal', count: 1 };

test.each<[string, GroupCount[], string[][], boolean]>([
  ['the people of each group', [two, one], [['finance'], ['finance'], ['legal']], true],
  ['too few of one group', [two, one], [['finance'], ['legal'], ['legal']], false],
  ['one person for two groups', [{ ...two, count: 1 }, one], [['finance', 'legal']], false],
  ['a person of both groups moves', [{ ...two, count: 1 }, one], [['finance', 'legal'], ['finance']], true],
  [
    'a chain of moves',
    [one, { group: 'a', count: 1 }, { group: 'b', count: 1 }],
    [['legal', 'a'], ['a', 'b'], ['legal']],
    true,
  ],
  ['people of no group', [one], [[], []], false],
  ['nobody', [one], [], false],
])('[PE56] %s', (_what, of, voters, isReached) => {
  expect(isQuorum(of, voters)).toBe(isReached);
});

const groups = ['a', 'b', 'c', 'd'];
const voter = fc.subarray(groups);
const quorum = fc
  .array(fc.record({ group: fc.constantFrom(...groups), count: fc.integer({ min: 1, max: 3 }) }), { maxLength: 4 })
  .map((of) => of.filter(({ group }, index) => of.findIndex((each) => each.group === group) === index));

/** Tries every place for every voter. */
function mostPlaces(of: readonly GroupCount[], [first, ...rest]: readonly (readonly string[])[]): number {
  if (!first) return 0;
  const seated = of.flatMap((each, index) =>
    first.includes(each.group) && each.count > 0
      ? [1 + mostPlaces(of.with(index, { ...each, count: each.count - 1 }), rest)]
      : [],
  );
  return Math.max(mostPlaces(of, rest), ...seated);
}

test('[PE56] it fills as many places as any assignment could', () => {
  fc.assert(
    fc.property(quorum, fc.array(voter, { maxLength: 5 }), (of, voters) => {
      expect(filledPlaces(of, voters)).toBe(mostPlaces(of, voters));
    }),
    { numRuns: 500 },
  );
});
