import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './json.ts';

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
