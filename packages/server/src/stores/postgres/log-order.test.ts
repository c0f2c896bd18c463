import { expect, test } from 'vitest';
import { atFullLength } from './log-order.ts';

const epoch = 2n ** 32n;

test.each([
  ['a moment ago', 99n, 100n, 99n],
  ['given since', 103n, 100n, 103n],
  ['in a later epoch', 7n, 3n * epoch + 9n, 3n * epoch + 7n],
  ['just before the count of 32 bits restarted', epoch - 2n, epoch + 5n, epoch - 2n],
  ['just after it did', 3n, epoch - 1n, epoch + 3n],
])('[L3] the number of a transaction, %s, is found from its last 32 bits', (_when, short, next, full) => {
  expect(atFullLength(short, next)).toBe(full);
});
