import { expect, test } from 'vitest';
import { plainFor } from './ask/outcome.ts';
import { jsonOf, lines, oneLine } from './terminal-text.ts';

const hostile = '\x1b[31m\x07\x9b2J\x7f\u2028\u202e\u2066';

test('[CM8] what others wrote has nothing left that a terminal obeys', () => {
  expect(oneLine(` a${hostile}b\n`)).toBe('a[U+001B][31m[U+0007 U+009B]2J[U+007F U+2028 U+202E +1]b');
  expect(lines(`a\r\n  b${hostile}\rc\n`)).toBe('a\n  b[U+001B][31m[U+0007 U+009B]2J[U+007F U+2028 U+202E +2]c\n');
});

test('[X33] hidden characters are named, and ordinary text stays as it is', () => {
  expect(oneLine('pay\u200bpal \u{e0041}')).toBe('pay[U+200B]pal [U+E0041]');
  expect(lines('a\tb\n\u3164c')).toBe('a b\n[U+3164]c');
  for (const text of ['می‌خواهم', '❤️ 👩🏽‍💻', 'לאשר?']) expect(oneLine(text)).toBe(text);
  expect(jsonOf('\u200b\u{e0041}')).toBe('"\\u200b\\udb40\\udc41"');
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
  expect(plainFor({ isTTY: true }, `a${hostile}\n  b\n`)).toBe(
    'a[U+001B][31m[U+0007 U+009B]2J[U+007F U+2028 U+202E +1]\n  b\n',
  );
});
