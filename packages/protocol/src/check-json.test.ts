import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
