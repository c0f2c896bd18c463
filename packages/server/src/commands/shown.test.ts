import { expect, test } from 'vitest';
import { plainFor } from './ask/outcome.ts';
import { jsonOf, lines, oneLine } from './shown.ts';

const hostile = '\x1b[31m\x07\x9b2J\x7f\u2028\u202e\u2066';

test('[CM8] what others wrote has nothing left that a terminal obeys', () => {
  expect(oneLine(` a${hostile}b\n`)).toBe('a [31m 2J b');
  expect(lines(`a\r\n  b${hostile}\rc\n`)).toBe('a\n  b [31m 2J c\n');
});

test('[CM8] JSON has it escaped, and means the same', () => {
  const value = { [hostile]: [hostile, 'ä €'] };
  expect(jsonOf(value)).toBe(
    '{"\\u001b[31m\\u0007\\u009b2J\\u007f\\u2028\\u202e\\u2066":["\\u001b[31m\\u0007\\u009b2J\\u007f\\u2028\\u202e\\u2066","ä €"]}',
  );
  expect(JSON.parse(jsonOf(value, 2))).toEqual(value);
});

test('[CM1][CM8] a plain answer is itself to a program, and harmless to a terminal', () => {
  expect(plainFor({}, `a${hostile}\n  b\n`)).toBe(`a${hostile}\n  b\n`);
  expect(plainFor({ isTTY: true }, `a${hostile}\n  b\n`)).toBe('a [31m 2J\n  b\n');
});
