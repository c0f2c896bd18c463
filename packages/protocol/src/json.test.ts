import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { checkJson } from './json.ts';

const bounds = { maxBytes: 1_000, maxDepth: 4 };

describe('checkJson', () => {
  it.each([
    ['a string', 'a"\\\n\u0001é€\u{1F600}\ud800'],
    ['an object', { a: [1, -2.5e-7, true, null], ké: {} }],
    ['nothing', []],
  ])('[F25] counts the bytes of %s as they are sent', (_name, value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    expect(checkJson(value, { maxBytes: bytes, maxDepth: 9 })).toEqual([]);
    expect(checkJson(value, { maxBytes: bytes - 1, maxDepth: 9 }, '/m')).toMatchObject([
      { pointer: '/m', code: 'too-large' },
    ]);
  });

  it('[F25] counts the bytes of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
        const [problem] = checkJson(value, { maxBytes: bytes - 1, maxDepth: 100 });
        expect(problem?.code === 'forbidden-key' || problem?.code === 'too-large').toBe(true);
        if (problem?.code === 'too-large') expect(checkJson(value, { maxBytes: bytes, maxDepth: 100 })).toEqual([]);
      }),
    );
  });

  it('[F25] counts levels', () => {
    expect(checkJson([[[[1]]]], bounds)).toEqual([]);
    expect(checkJson({ a: [[['x', []]]] }, bounds, '/m')).toMatchObject([{ pointer: '/m/a/0/0/1', code: 'too-deep' }]);
  });

  it('[F25] refuses __proto__ and what is not JSON', () => {
    expect(checkJson(JSON.parse('{"a":{"__proto__":1}}'), bounds)).toMatchObject([
      { pointer: '/a/__proto__', code: 'forbidden-key' },
    ]);
    for (const value of [undefined, () => 1, 1n, Number.NaN, Symbol('x')]) {
      expect(checkJson({ a: value }, bounds)).toMatchObject([{ pointer: '/a', code: 'not-json' }]);
    }
  });

  it('[F25] ends on what is deep, wide or circular', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 1_000_000; i++) deep = [deep];
    expect(checkJson(deep, bounds)).toMatchObject([{ code: 'too-deep' }]);
    expect(checkJson(Array(1_000_000).fill(1), bounds)).toMatchObject([{ code: 'too-large' }]);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(checkJson(circle, bounds)).toMatchObject([{ code: 'too-deep' }]);
  });
});

/** The same value with the properties of every object put in backwards. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

test('[I2][R3][BD1] equal values have equal text, in whatever order they were written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('[BD1] it is written as RFC 8785 says, by its own examples', () => {
  const keys = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  expect(canonicalJson(keys)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  const numbers = [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0];
  expect(canonicalJson({ string: '€$\u000f\nA\'B"\\\\"/', numbers, literals: [null, true, false] })).toBe(
    `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
  );
});

test('[BD1] numbers as keys are in the order of their text, and what is undefined is not there', () => {
  expect(canonicalJson({ 9: 'b', 10: 'a', '': 'first', gone: undefined })).toBe('{"":"first","10":"a","9":"b"}');
});
