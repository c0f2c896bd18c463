import { expect, test } from 'vitest';
import { thousands } from './limits.ts';

test('counts are written as English writes them', () => {
  for (const count of [0, 7, 999, 1_000, 10_000, 999_999, 1_000_000, 1_234_567_890])
    expect(thousands(count)).toBe(count.toLocaleString('en'));
});
