import { describe, expect, it } from 'vitest';
import { matchesPattern, patternFault, patternSize } from './pattern.ts';
import { pointer } from './problem.ts';

describe('pattern', () => {
  it.each([
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^\\d+$', '12', true],
    ['^\\d+$', '١٢', false],
    ['^\\p{L}+$', 'éß', true],
    ['^\\p{Greek}$', 'λ', true],
    ['(?i)ABC', 'xabcx', true],
    ['^a.c$', 'a\nc', false],
    ['^.$', '\u{1F600}', true],
    ['', 'anything', true],
  ])('[F7] %s in %j: %s', (pattern, text, expected) => {
    expect(patternFault(pattern)).toBeUndefined();
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it.each(['(?=a)', '(?!a)', '(?<=a)b', '(a)\\1', '[', '(', 'a{1001}', '\\u0041', '(.{30}){20}'])(
    '[F7] refuses %s, and it matches nothing',
    (pattern) => {
      expect(patternFault(pattern)).toEqual(expect.any(String));
      expect(matchesPattern(pattern, 'aab')).toBe(false);
      expect(patternSize(pattern)).toBe(0);
    },
  );

  it('[F7] forgets old patterns and still knows them', () => {
    for (let i = 0; i < 500; i++) expect(matchesPattern(`^${i}$`, `${i}`)).toBe(true);
    expect(matchesPattern('^0$', '0')).toBe(true);
  });
});

describe('pointer', () => {
  it('[F11] escapes as RFC 6901 says', () => {
    expect(pointer('/values', 'a/b~c', 0)).toBe('/values/a~1b~0c/0');
  });
});
