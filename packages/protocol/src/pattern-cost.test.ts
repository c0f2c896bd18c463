import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { patternCost, patternFault } from './pattern.ts';

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
