import { expect, expectTypeOf, test } from 'vitest';
import { defined } from './defined.ts';

test('properties without a value are left out, all others are kept', () => {
  const maybe = undefined as string | undefined;
  const copy = defined({ a: 1, b: maybe, c: null, d: '', e: 0, f: false });
  expect(Object.keys(copy)).toEqual(['a', 'c', 'd', 'e', 'f']);
  expectTypeOf(copy).toEqualTypeOf<{ a: 1; c: null; d: ''; e: 0; f: false; b?: string }>();
});

test('a property named __proto__ is copied as a property', () => {
  const hostile = JSON.parse('{"__proto__": {"admin": true}}');
  expect('admin' in defined(hostile)).toBe(false);
});
