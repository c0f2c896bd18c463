import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryFields, samples } from '../../test/arbitraries.ts';
import { limits } from '../limits.ts';
import { checkFields } from './check-fields.ts';
import { fieldSchemas } from './field.ts';

function problemsOf(...fields: unknown[]): string[] {
  const result = checkFields(fields);
  return result.ok ? [] : result.problems.map(({ pointer, code }) => `${pointer} ${code}`);
}

const text = (more: object = {}) => ({ name: 'a', type: 'text', ...more });
const rules = (...all_of: object[]) => ({ visibleIf: { all_of } });

describe('checkFields', () => {
  it('[F1] knows every type of the vocabulary and refuses any other', () => {
    for (const [type, { with: properties, values }] of Object.entries(samples))
      for (const more of properties) {
        const name = values.length > 0 ? { name: 'a' } : {};
        expect(problemsOf({ ...name, type, ...more }), type).toEqual([]);
      }
    expect(problemsOf({ name: 'a', type: 'colour' })).toEqual(['/fields/0/type unknown-type']);
    expect(problemsOf({ name: 'a', type: 'constructor' })).toEqual(['/fields/0/type unknown-type']);
  });

  it('[X31] reads no further field once there are more problems than are reported', () => {
    let reads = 0;
    const field = () => ({
      get name() {
        reads++;
        return '';
      },
      type: 'select',
      options: Array(500).fill({}),
    });
    const checked = checkFields(Array.from({ length: limits.fields }, field));
    expect(checked).toMatchObject({ ok: false, problems: { length: limits.problems } });
    expect(reads).toBeLessThanOrEqual(5);
  });

  it.each([
    ['[F2] refuses an unknown key', [text({ visibelIf: {} })], ['/fields/0/visibelIf unknown-property']],
    ['[F2] refuses a key of another type', [text({ maxStars: 3 })], ['/fields/0/maxStars unknown-property']],
    [
      '[F2] refuses an unknown key of an option',
      [{ name: 'a', type: 'radio', options: [{ value: 'x', label: 'X', id: 1 }] }],
      ['/fields/0/options/0/id unknown-property'],
    ],
    ['[F2] keeps meta as sent', [text({ meta: { any: [1, { x: null }] } })], []],
    ['[F4] wants a name', [{ type: 'text' }], ['/fields/0/name required']],
    ['[F4] wants a name that is not blank', [text({ name: ' ' })], ['/fields/0/name required']],
    ['[F4] wants unique names', [text(), text({ name: 'a ' })], ['/fields/1/name duplicate']],
    ['[F4] refuses __proto__', [text({ name: '__proto__' })], ['/fields/0/name forbidden-name']],
    ['[F4] refuses constructor', [text({ name: 'constructor' })], ['/fields/0/name forbidden-name']],
    ['[F4] refuses prototype', [text({ name: 'prototype' })], ['/fields/0/name forbidden-name']],
    ['[F4] takes toString', [text({ name: 'toString' })], []],
    ['[F5] wants options', [{ name: 'a', type: 'select' }], ['/fields/0/options required']],
    ['[F5] wants at least one option', [{ name: 'a', type: 'select', options: [] }], ['/fields/0/options min-items']],
    [
      '[F5] wants different options',
      [{ name: 'a', type: 'radio', options: ['x', 'x'] }],
      ['/fields/0/options/1/value duplicate'],
    ],
    [
      '[F5] wants options that are not blank',
      [{ name: 'a', type: 'radio', options: [' '] }],
      ['/fields/0/options/0/value required', '/fields/0/options/0/label required'],
    ],
    ['[F5] refuses options elsewhere', [text({ options: ['x'] })], ['/fields/0/options unknown-property']],
    ['[F6] wants lengths in order', [text({ minLength: 3, maxLength: 2 })], ['/fields/0/minLength order']],
    ['[F6] wants numbers in order', [{ name: 'a', type: 'number', min: 2, max: 1 }], ['/fields/0/min order']],
    [
      '[F6] wants dates in order',
      [{ name: 'a', type: 'date', min: '2024-02-02', max: '2024-02-01' }],
      ['/fields/0/min order'],
    ],
    [
      '[F6] compares datetimes as instants',
      [{ name: 'a', type: 'datetime', min: '2024-01-01T10:00:00+05:00', max: '2024-01-01T06:00:00Z' }],
      [],
    ],
    ['[F6] wants bounds that are dates', [{ name: 'a', type: 'date', min: '2023-02-29' }], ['/fields/0/min date']],
    [
      '[F6] wants selections in order',
      [{ name: 'a', type: 'multi_select', options: ['x', 'y'], minSelections: 2, maxSelections: 1 }],
      ['/fields/0/minSelections order'],
    ],
    [
      '[F6] wants no more selections than options',
      [{ name: 'a', type: 'multi_select', options: ['x'], minSelections: 2 }],
      ['/fields/0/minSelections min-selections'],
    ],
    ['[F7] refuses a look-ahead', [text({ pattern: '(?=a)b' })], ['/fields/0/pattern pattern']],
    ['[F7] refuses a back-reference', [text({ pattern: '(a)\\1' })], ['/fields/0/pattern pattern']],
    ['[F7] refuses a pattern too complex', [text({ pattern: '(.{30}){20}' })], ['/fields/0/pattern pattern']],
    ['[F7] takes a pattern that others choke on', [text({ pattern: '^(a+)+$' })], []],
    [
      '[F8] refuses the default of a secret',
      [text({ secret: true, default: 'x' })],
      ['/fields/0/default secret-default'],
    ],
    [
      '[F8] takes a password for a secret',
      [{ name: 'a', type: 'password', default: 'x' }],
      ['/fields/0/default secret-default'],
    ],
    [
      '[F9] refuses a default its field refuses',
      [text({ default: 'abc', maxLength: 2 })],
      ['/fields/0/default max-length'],
    ],
    [
      '[F9] refuses a default that is no option',
      [{ name: 'a', type: 'select', options: ['x'], default: 'y' }],
      ['/fields/0/default option'],
    ],
    [
      '[F9] refuses a default of another type',
      [{ name: 'a', type: 'checkbox', default: 'yes' }],
      ['/fields/0/default type'],
    ],
    [
      '[F9] takes defaults that fit',
      [
        { name: 'a', type: 'multi_select', options: ['x', 'y'], default: ['y'] },
        { name: 'b', type: 'rating', default: 5 },
      ],
      [],
    ],
    ['[F10] limits the stars', [{ name: 'a', type: 'rating', maxStars: 11 }], ['/fields/0/maxStars max']],
    ['[F10] limits a name', [text({ name: 'n'.repeat(256) })], ['/fields/0/name max-length']],
    ['[F10] limits meta', [text({ meta: { x: 'y'.repeat(limits.jsonBytes) } })], ['/fields/0/meta too-large']],
    [
      '[V4] refuses a rule about no field',
      [text(rules({ field: 'b', op: 'empty' }))],
      ['/fields/0/visibleIf/all_of/0/field unknown-field'],
    ],
    ['[V4] refuses a rule about itself', [text(rules({ field: 'a', op: 'empty' }))], ['/fields/0/visibleIf cycle']],
    [
      '[V4] refuses a circle',
      [text(rules({ field: 'b', op: 'empty' })), text({ name: 'b', ...rules({ field: 'a', op: 'empty' }) })],
      ['/fields/0/visibleIf cycle', '/fields/1/visibleIf cycle'],
    ],
    [
      '[V4] wants a list for in',
      [text(), text({ name: 'b', ...rules({ field: 'a', op: 'in', value: 'x' }) })],
      ['/fields/1/visibleIf/all_of/0/value rule-value'],
    ],
    [
      '[V4] wants no value for empty',
      [text(), text({ name: 'b', ...rules({ field: 'a', op: 'empty', value: 1 }) })],
      ['/fields/1/visibleIf/all_of/0/value rule-value'],
    ],
    [
      '[V4] wants a value for equals',
      [text(), text({ name: 'b', ...rules({ field: 'a', op: 'equals' }) })],
      ['/fields/1/visibleIf/all_of/0/value rule-value'],
    ],
    [
      '[V4] refuses an unknown op',
      [text(), text({ name: 'b', ...rules({ field: 'a', op: 'like', value: 1 }) })],
      ['/fields/1/visibleIf/all_of/0/op value'],
    ],
    [
      '[V4] limits the rules',
      [text(), text({ name: 'b', ...rules(...Array(21).fill({ field: 'a', op: 'empty' })) })],
      ['/fields/1/visibleIf/all_of max-items'],
    ],
  ] as [string, unknown[], string[]][])('%s', (_name, fields, expected) => {
    expect(problemsOf(...fields)).toEqual(expected);
  });

  it('[F3] reads the other forms and changes nothing else', () => {
    const meta = { nested: [1] };
    expect(
      checkFields([
        { name: 'a', type: 'multiselect', options: ['x', { value: 'y', label: 'Y', recommended: true }], meta },
        { name: 'b', type: 'file_upload', accept: 'image/*, .csv,' },
      ]),
    ).toEqual({
      ok: true,
      fields: [
        {
          name: 'a',
          type: 'multi_select',
          options: [
            { value: 'x', label: 'x' },
            { value: 'y', label: 'Y', recommended: true },
          ],
          meta,
        },
        { name: 'b', type: 'file_upload', accept: ['image/*', '.csv'] },
      ],
    });
  });

  it('[F10] limits how many fields and options there are', () => {
    const many = Array.from({ length: 101 }, (_, i) => text({ name: `n${i}` }));
    expect(problemsOf(...many)).toEqual(['/fields max-items']);
    expect(problemsOf(...many.slice(1))).toEqual([]);
    const options = Array.from({ length: 501 }, (_, i) => `o${i}`);
    expect(problemsOf({ name: 'a', type: 'select', options })).toEqual(['/fields/0/options max-items']);
  });

  it('[F11] returns every problem of every field, more than eight of them', () => {
    const bad = Array.from({ length: 12 }, (_, i) => ({ type: 'text', name: '', label: 7, extra: i }));
    expect(problemsOf(...bad)).toHaveLength(36);
    expect(
      problemsOf({
        type: 'text',
        name: 'a',
        ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 1])),
      }),
    ).toHaveLength(20);
  });

  it('[F11] never throws, whatever the JSON', () => {
    const typed = fc.record(
      { type: fc.constantFrom(...Object.keys(fieldSchemas), 'multiselect'), name: fc.jsonValue() },
      { requiredKeys: ['type'] },
    );
    const junk = fc
      .tuple(
        typed,
        fc.dictionary(
          fc.constantFrom('options', 'default', 'visibleIf', 'pattern', 'min', 'max', 'accept', 'meta', 'label'),
          fc.jsonValue(),
        ),
      )
      .map(([a, b]) => ({ ...a, ...b }));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.oneof(junk, fc.jsonValue()))), (input) => {
        const result = checkFields(input);
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('[F11] takes any sound fields, and again what it returned', () => {
    fc.assert(
      fc.property(arbitraryFields, (fields) => {
        const once = checkFields(fields);
        expect(once).toEqual({ ok: true, fields });
        expect(checkFields(once.ok && once.fields)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });
});
