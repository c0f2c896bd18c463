import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAnswers, arbitraryFields } from '../../test/arbitraries.ts';
import type { Field } from './field.ts';
import { visibleFields } from './visible-fields.ts';

function shows(op: string, value: unknown, values: unknown): boolean {
  const rule = value === undefined ? { field: 'a', op } : { field: 'a', op, value };
  const fields = [
    { name: 'a', type: 'text' },
    { type: 'divider', visibleIf: { all_of: [rule] } },
  ] as Field[];
  return visibleFields(fields, values).length === 2;
}

describe('visibleFields', () => {
  it.each([
    ['equals', 'x', { a: 'x' }, true],
    ['equals', 'x', { a: 'y' }, false],
    ['equals', 'x', {}, false],
    ['equals', ['x', 'y'], { a: ['x', 'y'] }, true],
    ['equals', ['y', 'x'], { a: ['x', 'y'] }, false],
    ['equals', { p: 1, q: 2 }, { a: { q: 2, p: 1 } }, true],
    ['equals', 1, { a: '1' }, false],
    ['not_equals', 'x', { a: 'y' }, true],
    ['not_equals', 'x', {}, true],
    ['not_equals', 'x', { a: 'x' }, false],
    ['in', ['x', 'y'], { a: 'y' }, true],
    ['in', ['x', 'y'], { a: 'z' }, false],
    ['in', [], { a: 'z' }, false],
    ['in', [['x']], { a: ['x'] }, true],
    ['not_in', ['x'], { a: 'y' }, true],
    ['not_in', ['x'], {}, true],
    ['not_in', ['x'], { a: 'x' }, false],
    ['empty', undefined, {}, true],
    ['not_empty', undefined, { a: 'x' }, true],
  ])('[V1] %s %j on %j holds: %s', (op, value, values, expected) => {
    expect(shows(op, value, values)).toBe(expected);
  });

  it.each([[null], [''], [[]], [undefined]])('[V2] %j is empty and equals every other empty', (empty) => {
    expect(shows('empty', undefined, { a: empty })).toBe(true);
    expect(shows('not_empty', undefined, { a: empty })).toBe(false);
    for (const other of [null, '', []]) {
      expect(shows('equals', other, { a: empty })).toBe(true);
      expect(shows('not_equals', other, { a: empty })).toBe(false);
      expect(shows('in', ['x', other], { a: empty })).toBe(true);
    }
  });

  it.each([[false], [0]])('[V2] %j is a value', (value) => {
    expect(shows('not_empty', undefined, { a: value })).toBe(true);
    expect(shows('equals', '', { a: value })).toBe(false);
  });

  it('[V1] shows a field only when every rule holds', () => {
    const fields = [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
      {
        name: 'c',
        type: 'text',
        visibleIf: {
          all_of: [
            { field: 'a', op: 'not_empty' },
            { field: 'b', op: 'not_empty' },
          ],
        },
      },
    ] as Field[];
    expect(visibleFields(fields, { a: 1 })).toHaveLength(2);
    expect(visibleFields(fields, { a: 1, b: 1 })).toHaveLength(3);
  });

  it('[V3] shows a hidden field to a rule as no value, also a later one', () => {
    const fields = [
      { name: 'c', type: 'text', visibleIf: { all_of: [{ field: 'b', op: 'equals', value: 'x' }] } },
      { name: 'b', type: 'text', visibleIf: { all_of: [{ field: 'a', op: 'equals', value: 'x' }] } },
      { name: 'a', type: 'text' },
      { name: 'd', type: 'text', visibleIf: { all_of: [{ field: 'b', op: 'empty' }] } },
    ] as Field[];
    const names = (values: unknown) => visibleFields(fields, values).map((field) => 'name' in field && field.name);
    expect(names({ a: 'x', b: 'x' })).toEqual(['c', 'b', 'a']);
    expect(names({ a: 'y', b: 'x' })).toEqual(['a', 'd']);
  });

  it('[V2] does not take what Object.prototype has for a value', () => {
    const fields = [
      { name: 'toString', type: 'text' },
      { type: 'divider', visibleIf: { all_of: [{ field: 'toString', op: 'not_empty' }] } },
    ] as Field[];
    expect(visibleFields(fields, {})).toHaveLength(1);
  });

  it('[V3] ends, and hides what depends on itself, where fields were never checked', () => {
    const fields = [
      { name: 'a', type: 'text', visibleIf: { all_of: [{ field: 'b', op: 'not_empty' }] } },
      { name: 'b', type: 'text', visibleIf: { all_of: [{ field: 'a', op: 'not_empty' }] } },
      { name: 'c', type: 'text', visibleIf: { all_of: [{ field: 'nobody', op: 'not_empty' }] } },
    ] as Field[];
    expect(visibleFields(fields, { a: 1, b: 1, c: 1 })).toEqual([]);
  });

  it('[V1] never throws, whatever the values', () => {
    fc.assert(
      fc.property(arbitraryFields, fc.jsonValue(), (fields, values) => {
        expect(visibleFields(fields, values).length).toBeLessThanOrEqual(fields.length);
      }),
    );
  });

  it('[V3] shows a field or not, whatever the order of the fields', () => {
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        const forward = new Set(visibleFields(fields, values));
        const backward = visibleFields(fields.toReversed(), values);
        expect(backward).toHaveLength(forward.size);
        expect(backward.every((field) => forward.has(field))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
