import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAnswers, arbitraryFields } from '../../test/arbitraries.ts';
import { limits } from '../limits.ts';
import type { Field } from './field.ts';
import { isInputField } from './input-field.ts';
import { validateValues } from './validate-values.ts';
import { visibleFields } from './visible-fields.ts';

const accepts = (field: object, value: unknown) => validateValues([{ name: 'a', ...field } as Field], { a: value }).ok;

function codes(fields: object[], values: unknown): string[] {
  const result = validateValues(fields as Field[], values);
  return result.ok ? [] : result.problems.map(({ pointer, code }) => `${pointer} ${code}`);
}

const file = { file_id: 'f1', url: '/f1', name: 'Report.CSV', mime: 'text/csv; charset=utf-8', size: 1024 };
const image = { ...file, name: 'a.png', mime: 'image/png' };
const options = [
  { value: 'staging', label: 'Staging' },
  { value: 'production', label: 'Production' },
];

describe('validateValues', () => {
  it('[F12] takes an object and refuses anything else', () => {
    for (const values of [null, undefined, [], 'x', 3, true]) expect(codes([], values)).toEqual(['/values type']);
    expect(validateValues([], {})).toEqual({ ok: true, values: {} });
  });

  it('[F12] refuses names no field has, and takes names of Object.prototype as names', () => {
    expect(codes([{ type: 'text', name: 'a' }], { b: 1, 'c/d': null })).toEqual([
      '/values/b unknown-field',
      '/values/c~1d unknown-field',
    ]);
    expect(codes([], JSON.parse('{"__proto__": {"x": 1}}'))).toEqual(['/values/__proto__ forbidden-key']);
    const fields = [{ type: 'text', name: 'toString', required: true }] as Field[];
    expect(codes(fields, {})).toEqual(['/values/toString required']);
    const result = validateValues(fields, { toString: 'x' });
    expect(result.ok && Object.entries(result.values)).toEqual([['toString', 'x']]);
  });

  it('[F12] limits the whole and the number of problems', () => {
    const fields = [
      { type: 'textarea', name: 'a' },
      { type: 'textarea', name: 'b' },
      { type: 'textarea', name: 'c' },
    ];
    const long = 'x'.repeat(100_000);
    expect(codes(fields, { a: long, b: long })).toEqual([]);
    expect(codes(fields, { a: long, b: long, c: long })).toEqual(['/values too-large']);
    expect(codes([], Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1])))).toHaveLength(
      limits.problems,
    );
  });

  it.each([[null], [''], [[]], [undefined]])('[F13] takes %j for no value', (value) => {
    const absent = value === undefined ? {} : { a: value };
    expect(codes([{ type: 'text', name: 'a', required: true }], absent)).toEqual(['/values/a required']);
    expect(validateValues([{ type: 'email', name: 'a', minLength: 9 }], absent)).toEqual({ ok: true, values: {} });
  });

  it('[F13] wants more than white space of a required field, and leaves a checkbox false', () => {
    expect(accepts({ type: 'text', required: true }, ' \n')).toBe(false);
    expect(accepts({ type: 'text' }, ' ')).toBe(true);
    expect(accepts({ type: 'checkbox', required: true }, false)).toBe(true);
    expect(accepts({ type: 'confirm', required: true }, false)).toBe(true);
    expect(codes([{ type: 'checkbox', name: 'a', required: true }], {})).toEqual(['/values/a required']);
    expect(accepts({ type: 'number', required: true }, 0)).toBe(true);
  });

  it.each([
    ['text', {}, ['a', ' a '], [1, true, ['a'], { a: 1 }]],
    ['text', { minLength: 2, maxLength: 3 }, ['ab', '\u{1F600}\u{1F600}', 'a\u{1F600}b'], ['a', '\u{1F600}', 'abcd']],
    ['text', { pattern: '\\d+' }, ['a1b'], ['ab']],
    ['text', { pattern: '^\\p{Lu}' }, ['Éa'], ['éa']],
    ['textarea', {}, ['a\nb', 'x'.repeat(100_000)], ['x'.repeat(100_001)]],
    ['password', { minLength: 3 }, ['abc'], ['ab']],
    [
      'email',
      {},
      ['a@b.co', "o'neil+tag@sub.example.org"],
      ['a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a..b@c.de', 'a@b..de', 'a@-b.de', `${'x'.repeat(250)}@b.co`],
    ],
    [
      'url',
      {},
      ['https://a.example', 'http://localhost:8080/p?q=1#f', 'HTTPS://A.example/%20'],
      [
        'a.example',
        'ftp://a.example',
        'javascript:alert(1)',
        'https://',
        'https://a b',
        'https://a:99999',
        'https://user:pw@a.example',
        'https://a.example/<x>',
      ],
    ],
    ['tel', {}, ['+1 (555) 010-0199', '112', '030/123456 x12'], ['call me', '12', '+', '1'.repeat(21)]],
  ])('[F14] checks a value of type %s %j', (type, more, good, bad) => {
    for (const value of good) expect(accepts({ type, ...more }, value), JSON.stringify(value).slice(0, 60)).toBe(true);
    for (const value of bad) expect(accepts({ type, ...more }, value), JSON.stringify(value).slice(0, 60)).toBe(false);
  });

  it('[F7] matches a pattern in linear time', () => {
    expect(accepts({ type: 'text', pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it.each([
    ['number', {}, [0, -1.5, 1e300], ['1', true, Number.NaN]],
    ['number', { integer: true }, [3, 3.0], [3.5]],
    ['number', { min: 1, max: 2 }, [1, 2], [0.99, 2.01]],
    ['number', { step: 0.1 }, [0.3, 0.7, -0.1], [0.35]],
    ['number', { min: 1, step: 2 }, [1, 3], [2]],
    ['rating', {}, [1, 5], [0, 6, 1.5, '1']],
    ['rating', { maxStars: 10 }, [10], [11]],
  ])('[F15] checks a value of type %s %j', (type, more, good, bad) => {
    for (const value of good) expect(accepts({ type, ...more }, value), String(value)).toBe(true);
    for (const value of bad) expect(accepts({ type, ...more }, value), String(value)).toBe(false);
  });

  it.each([
    [
      'date',
      {},
      ['2024-02-29', '2000-02-29', '0001-01-01'],
      [
        '2023-02-29',
        '1900-02-29',
        '2024-04-31',
        '2024-13-01',
        '2024-00-10',
        '2024-1-1',
        '24-01-01',
        '2024-01-01T00:00:00Z',
        20240101,
      ],
    ],
    ['date', { min: '2024-01-02', max: '2024-01-03' }, ['2024-01-02', '2024-01-03'], ['2024-01-01', '2024-01-04']],
    ['time', {}, ['00:00', '23:59:59'], ['24:00', '1:00', '12:60', '12:00:60', '12:00Z']],
    ['time', { min: '09:00', max: '17:00:00' }, ['09:00:00', '17:00'], ['08:59:59', '17:00:01']],
    [
      'datetime',
      {},
      ['2024-02-29T23:59:59Z', '2024-01-01T00:00:00.123+05:30'],
      [
        '2024-01-01T00:00:00',
        '2023-02-29T00:00:00Z',
        '2024-01-01 00:00:00Z',
        '2024-01-01T24:00:00Z',
        '2024-01-01T00:00:00+24:00',
      ],
    ],
    [
      'datetime',
      { min: '2024-01-01T12:00:00Z' },
      ['2024-01-01T07:00:00-05:00', '2024-01-01T12:00:00.001Z'],
      ['2024-01-01T12:30:00+05:00'],
    ],
  ])('[F16] checks a value of type %s %j', (type, more, good, bad) => {
    for (const value of good) expect(accepts({ type, ...more }, value), String(value)).toBe(true);
    for (const value of bad) expect(accepts({ type, ...more }, value), String(value)).toBe(false);
  });

  it.each([
    ['select', {}, ['staging'], ['Staging', 'toString', ['staging'], 1]],
    ['radio', {}, ['production'], ['x']],
    [
      'multi_select',
      {},
      [['staging'], ['production', 'staging']],
      ['staging', ['x'], ['staging', 'staging'], ['staging', 'production', 'x'], [null]],
    ],
    ['multi_select', { minSelections: 2 }, [['staging', 'production']], [['staging']]],
    ['multi_select', { maxSelections: 1 }, [['staging']], [['staging', 'production']]],
  ])('[F17] checks a value of type %s %j', (type, more, good, bad) => {
    for (const value of good) expect(accepts({ type, options, ...more }, value), JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(accepts({ type, options, ...more }, value), JSON.stringify(value)).toBe(false);
  });

  it.each([
    [
      'file_upload',
      {},
      [file, { ...file, size: 0 }],
      [
        [file],
        'f1',
        {},
        { ...file, extra: 1 },
        { ...file, size: -1 },
        { ...file, size: 1.5 },
        { ...file, file_id: '' },
        { ...file, size: 101 * 2 ** 20 },
      ],
    ],
    ['file_upload', { multiple: true }, [[file], [file, image]], [file, [file, 'x'], Array(21).fill(file)]],
    ['file_upload', { accept: ['.csv'] }, [file], [image]],
    ['file_upload', { accept: ['TEXT/csv'] }, [file], [image]],
    ['file_upload', { accept: ['image/*', 'application/pdf'] }, [image], [file, { ...file, mime: 'imagex/png' }]],
    ['file_upload', { accept: [] }, [file, image], []],
    ['file_upload', { maxSizeMb: 1 }, [{ ...file, size: 2 ** 20 }], [{ ...file, size: 2 ** 20 + 1 }]],
    ['image_upload', {}, [image], [file]],
    ['signature', {}, [image], [[image], 'data:image/png;base64,AA==']],
    ['custom', { customType: 'colour' }, ['red', 0.5, false], [['red'], { r: 1 }, 'a'.repeat(100_001)]],
  ] as [string, object, unknown[], unknown[]][])('[F15][F18] checks a value of type %s %j', (type, more, good, bad) => {
    for (const value of good) expect(accepts({ type, ...more }, value), JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(accepts({ type, ...more }, value), JSON.stringify(value)).toBe(false);
  });

  it('[F20] says every problem at once, in sentences that begin with the label', () => {
    const fields = [
      { name: 'env', label: 'Environment', type: 'select', options, required: true },
      { name: 'mail', type: 'email', label: 'Your email' },
      {
        name: 'picks',
        type: 'multi_select',
        label: 'Picks',
        options: 'abcdefg'.split('').map((v) => ({ value: v, label: v })),
      },
      { name: 'why', type: 'textarea', required: true },
    ] as Field[];
    expect(validateValues(fields, { env: 'dev', mail: 'x', picks: ['z'] }, '/v')).toEqual({
      ok: false,
      problems: [
        { pointer: '/v/env', code: 'option', message: 'Environment: choose one of Staging, Production.' },
        { pointer: '/v/mail', code: 'email', message: 'Your email: enter an email address such as name@example.com.' },
        { pointer: '/v/picks/0', code: 'option', message: 'Picks: choose only from a, b, c, d, e, ….' },
        { pointer: '/v/why', code: 'required', message: 'why: fill this in.' },
      ],
    });
  });

  it('[V5] prunes what is hidden and does not ask for it', () => {
    const fields = [
      { name: 'kind', type: 'select', options, required: true },
      {
        name: 'why',
        type: 'text',
        required: true,
        visibleIf: { all_of: [{ field: 'kind', op: 'equals', value: 'production' }] },
      },
    ] as Field[];
    expect(validateValues(fields, { kind: 'staging', why: 7 })).toEqual({ ok: true, values: { kind: 'staging' } });
    expect(codes(fields, { kind: 'production' })).toEqual(['/values/why required']);
  });

  it('[V5] never lets a hidden field block or through', () => {
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        const result = validateValues(fields, values);
        const visible = new Set(visibleFields(fields, values));
        const hidden = fields
          .filter((field) => !visible.has(field))
          .filter(isInputField)
          .map((field) => field.name);
        if (result.ok) expect(hidden.filter((name) => Object.hasOwn(result.values, name))).toEqual([]);
        else
          expect(
            result.problems.filter(({ pointer }) =>
              hidden.some((name) => pointer.split('/')[2] === name.replace('/', '~1')),
            ),
          ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('[F20] accepts again, unchanged, what it accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        const once = validateValues(fields, values);
        if (!once.ok) return;
        accepted++;
        expect(validateValues(fields, once.values)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('[F20] never throws, whatever the values', () => {
    fc.assert(
      fc.property(arbitraryFields, fc.jsonValue(), (fields, values) => {
        const named = Object.fromEntries(fields.filter(isInputField).map(({ name }) => [name, values]));
        for (const candidate of [values, named]) {
          const result = validateValues(fields, candidate);
          if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
