import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { matchesPattern, patternCost, patternFault, patternSize } from './pattern.ts';
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

describe('patternCost', () => {
  it.each([
    '((a{10}){10}){9}'.repeat(50),
    '[]a]{900}'.repeat(20),
    '[[:alpha:]\\]]{900}'.repeat(20),
    '(?:a|b{3,}){200}'.repeat(20),
    '\\p{L}{100}'.repeat(11),
    '(?i)'.concat('\\pL'.repeat(300)),
  ])('[F7] refuses %s before it is compiled', (pattern) => {
    const { instructions, unicodeClasses } = patternCost(pattern);
    expect(instructions > 1200 || unicodeClasses > 10).toBe(true);
    expect(patternFault(pattern)).toBe('it is too complex');
  });

  it.each([
    '^.{1,255}$',
    '^\\p{L}{1,100}$',
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    'a{,3}',
    '^\\d+\\.\\d+\\.\\d+$',
    '[{]{3}',
  ])('[F7] takes %s', (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
  });

  it('[F7] never estimates far below what RE2 makes of a pattern', () => {
    const atom = fc.constantFrom(
      'a',
      '.',
      '\\d',
      '[a-z]',
      '[^]x]',
      '[[:alpha:]_]',
      '\\p{Lu}',
      '\\{',
      'b|c',
      '\\]',
      '^',
    );
    const node: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc
          .tuple(tie('node'), fc.constantFrom('{3}', '{2,9}', '{4,}', '*', '+?', '{0,30}'))
          .map(([a, r]) => `(${a})${r}`),
      ),
    })).node;
    fc.assert(
      fc.property(node, (pattern) => {
        let size = 0;
        try {
          size = RE2JS.compile(pattern).programSize();
        } catch {
          return;
        }
        expect(size).toBeLessThanOrEqual(4 * patternCost(pattern).instructions + 10);
      }),
      { numRuns: 500 },
    );
  });
});
