import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostPlaces } from './most-places.fixture.ts';
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

test('[PE56] it fills as many places as any assignment could', () => {
  fc.assert(
    fc.property(quorum, fc.array(voter, { maxLength: 5 }), (of, voters) => {
      expect(filledPlaces(of, voters)).toBe(mostPlaces(of, voters));
    }),
    { numRuns: 500 },
  );
});
