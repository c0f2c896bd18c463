/** Random fields and values for property tests: the fields are sound, the values are near misses and junk. */
import fc from 'fast-check';
import type { Field, FieldType, InputField } from '../src/fields/field.ts';
import { isInputField } from '../src/fields/input-field.ts';

const names = ['a', 'b', 'c', 'd', 'toString', 'hasOwnProperty', 'with/slash', 'ünï'];
const options = [
  { value: 'x', label: 'X' },
  { value: 'y', label: 'y' },
  { value: 'z', label: 'z' },
];
const fileRef = { file_id: 'f1', url: '/files/f1', name: 'a.png', mime: 'image/png', size: 10 };

/** Properties that fields of the type have besides the shared ones, and values that fit most of these fields. */
export const samples: Record<FieldType, { with: object[]; values: unknown[] }> = {
  text: {
    with: [{}, { minLength: 2 }, { maxLength: 3 }, { pattern: '^[a-z]+$' }, { pattern: '(?i)A' }],
    values: ['abc', 'ab'],
  },
  textarea: { with: [{}, { rows: 3 }, { minLength: 1, maxLength: 4 }], values: ['abc'] },
  email: { with: [{}], values: ['a@b.co'] },
  tel: { with: [{}], values: ['+1 555 0199'] },
  url: { with: [{}], values: ['https://a.example/x?y#z'] },
  password: { with: [{}, { minLength: 4 }], values: ['hunter2'] },
  number: {
    with: [{}, { integer: true }, { min: 0, max: 10 }, { step: 0.1 }, { min: 1, step: 2 }, { step: 3 }],
    values: [3, 0.3, 9],
  },
  date: { with: [{}, { min: '2020-01-01' }, { max: '2030-12-31' }], values: ['2024-02-29'] },
  time: { with: [{}, { min: '08:00', max: '17:30:00' }], values: ['09:30', '09:30:15'] },
  datetime: {
    with: [{}, { min: '2020-01-01T00:00:00+02:00' }],
    values: ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.5-05:30'],
  },
  checkbox: { with: [{}], values: [true, false] },
  confirm: { with: [{}, { confirmLabel: 'Go' }], values: [true, false] },
  select: { with: [{ options }, { options, display: 'buttons' }], values: ['x', 'y'] },
  radio: { with: [{ options }], values: ['x'] },
  multi_select: {
    with: [{ options }, { options, minSelections: 2 }, { options, maxSelections: 1 }],
    values: [['x'], ['x', 'y']],
  },
  rating: { with: [{}, { maxStars: 10 }, { maxStars: 1 }], values: [1] },
  file_upload: {
    with: [{}, { multiple: true }, { accept: ['.csv'] }, { maxSizeMb: 1 }],
    values: [fileRef, [fileRef], { ...fileRef, name: 'b.csv', mime: 'text/csv' }],
  },
  image_upload: { with: [{}, { multiple: true }], values: [fileRef, [fileRef]] },
  signature: { with: [{}], values: [fileRef] },
  custom: { with: [{}, { customType: 'colour' }], values: ['red', 7, false] },
  heading: { with: [{ text: 'Heading' }], values: [] },
  paragraph: { with: [{ text: 'Words' }], values: [] },
  divider: { with: [{}], values: [] },
};

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', [], false, true, 0, 1, 2, 5, 0.3, 0.30000000000000004, 7, 1e300),
  fc.constantFrom<unknown>('x', 'y', 'abc', 'A', 'a\u{1F600}b', ['x'], ['x', 'y'], ['x', 'x'], ['w']),
  fc.constantFrom<unknown>('a@b.co', 'a@b', 'https://a.example/x?y#z', 'HTTP://A', 'ftp://a', '+1 555 0199', '12'),
  fc.constantFrom<unknown>(
    '2024-02-29',
    '2023-02-29',
    '09:30',
    '24:00',
    '2024-02-29T10:00:00Z',
    '2024-02-29T10:00:00.5-05:30',
  ),
  fc.constantFrom<unknown>(
    fileRef,
    [fileRef],
    { ...fileRef, size: 2e6 },
    { ...fileRef, name: 'b.csv', mime: 'text/csv' },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const rule = (targets: string[]) =>
  fc
    .record({
      field: fc.constantFrom(...targets),
      op: fc.constantFrom('equals', 'not_equals', 'in', 'not_in', 'empty', 'not_empty'),
    })
    .chain(({ field, op }): fc.Arbitrary<object> => {
      if (op === 'empty' || op === 'not_empty') return fc.constant({ field, op });
      if (op === 'in' || op === 'not_in')
        return fc.array(anyValue, { maxLength: 3 }).map((value) => ({ field, op, value }));
      return anyValue.map((value) => ({ field, op, value }));
    });

const type = fc.constantFrom(...(Object.keys(samples) as FieldType[]));

function field(name: string, earlier: string[]): fc.Arbitrary<Field> {
  return type.chain((chosen) =>
    fc
      .record({
        extra: fc.constantFrom(...samples[chosen].with),
        required: fc.boolean(),
        all_of: earlier.length > 0 ? fc.array(rule(earlier), { maxLength: 2 }) : fc.constant([]),
      })
      .map(({ extra, required, all_of }) => {
        const base = samples[chosen].values.length > 0 ? { name, required } : {};
        return {
          type: chosen,
          ...base,
          ...extra,
          ...(all_of.length > 0 ? { visibleIf: { all_of } } : {}),
        } as unknown as Field;
      }),
  );
}

/** Rules name only fields made before, and the order is shuffled after: forward references, no circles. */
export const arbitraryFields: fc.Arbitrary<Field[]> = fc.integer({ min: 1, max: names.length }).chain((count) => {
  let made: fc.Arbitrary<Field[]> = fc.constant([]);
  for (const name of names.slice(0, count)) {
    made = made.chain((fields) => {
      const earlier = fields.filter(isInputField).map((one) => one.name);
      return field(name, earlier).map((one) => [...fields, one]);
    });
  }
  return made.chain((fields) => fc.shuffledSubarray(fields, { minLength: fields.length }));
});

function valueFor(one: InputField): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...samples[one.type].values) },
    { weight: 1, arbitrary: anyValue },
  );
}

/** Fields together with values that often fit them. */
export const arbitraryAnswers: fc.Arbitrary<{ fields: Field[]; values: Record<string, unknown> }> =
  arbitraryFields.chain((fields) => {
    const inputs = fields.filter(isInputField);
    const entries = inputs.map((one) =>
      fc
        .option(valueFor(one), { nil: undefined, freq: 6 })
        .map((value): [string, unknown][] => (value === undefined ? [] : [[one.name, value]])),
    );
    return fc.tuple(...entries).map((parts) => ({ fields, values: Object.fromEntries(parts.flat()) }));
  });
