import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { arbitraryAnswers } from '../../test/arbitraries.ts';
import { checkPayloadSchema, validatePayload } from '../payload-schema.ts';
import type { Field } from './field.ts';
import { fieldsToJsonSchema } from './json-schema.ts';
import { validateValues } from './validate-values.ts';
import { visibleFields } from './visible-fields.ts';

const property = (field: object) =>
  (fieldsToJsonSchema([{ name: 'a', ...field } as Field]).properties as { a: object }).a;

describe('fieldsToJsonSchema', () => {
  it('[J1] has a property for each input field and no others', () => {
    const fields = [
      { type: 'heading', text: 'H' },
      { name: 'a', type: 'text', label: 'A', description: 'D', default: 'x', required: true },
      { name: 'b', type: 'checkbox' },
    ];
    expect(fieldsToJsonSchema(fields as Field[])).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        a: { type: 'string', title: 'A', description: 'D', default: 'x', minLength: 1 },
        b: { type: 'boolean' },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('[J2] accepts whatever validation accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        const schema = fieldsToJsonSchema(fields);
        const result = validateValues(fields, values);
        if (!result.ok) return;
        accepted++;
        // Without a prototype, because TypeBox takes toString for present in any object.
        expect(
          Check(schema, Object.assign(Object.create(null), result.values)),
          JSON.stringify({ schema, values: result.values }),
        ).toBe(true);
        expect(checkPayloadSchema(schema)).toEqual([]);
        expect(validatePayload(schema, result.values)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });

  it('[J2] asks, as validation does, for what is required and visible', () => {
    let compared = 0;
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        const result = validateValues(fields, values);
        if (!result.ok) return;
        const schema = fieldsToJsonSchema(fields);
        for (const name of Object.keys(result.values)) {
          const { [name]: _gone, ...rest } = result.values;
          const visible = visibleFields(fields, rest).map((field) => 'name' in field && field.name);
          if (!Object.keys(rest).every((kept) => visible.includes(kept))) continue;
          compared++;
          expect(validatePayload(schema, rest).length === 0).toBe(validateValues(fields, rest).ok);
        }
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(200);
  });

  it('[J3] requires conditionally what is visible conditionally', () => {
    const schema = fieldsToJsonSchema([
      { name: 'reason', type: 'text', required: true },
      {
        name: 'days',
        type: 'number',
        required: true,
        visibleIf: { all_of: [{ field: 'reason', op: 'in', value: ['late', 'lost'] }] },
      },
      {
        name: 'note',
        type: 'text',
        required: true,
        visibleIf: {
          all_of: [
            { field: 'reason', op: 'not_equals', value: 'late' },
            { field: 'days', op: 'empty' },
          ],
        },
      },
    ] as Field[]);
    expect(schema.required).toEqual(['reason']);
    expect(Check(schema, { reason: 'late', days: 1 })).toBe(true);
    expect(Check(schema, { reason: 'late' })).toBe(false);
    expect(Check(schema, { reason: 'other' })).toBe(false);
    expect(Check(schema, { reason: 'other', note: 'x' })).toBe(true);
  });

  it.each([
    [
      { type: 'rating', maxStars: 7 },
      { type: 'integer', minimum: 1, maximum: 7 },
    ],
    [{ type: 'rating' }, { type: 'integer', minimum: 1, maximum: 5 }],
    [
      { type: 'select', options: [{ value: 'x', label: 'x' }] },
      { type: 'string', enum: ['x'] },
    ],
    [
      { type: 'radio', options: [{ value: 'x', label: 'X' }] },
      { type: 'string', oneOf: [{ const: 'x', title: 'X' }] },
    ],
    [
      { type: 'multi_select', required: true, maxSelections: 1, options: [{ value: 'x', label: 'x' }] },
      { type: 'array', items: { type: 'string', enum: ['x'] }, uniqueItems: true, minItems: 1, maxItems: 1 },
    ],
    [
      { type: 'number', integer: true, min: 0, max: 9, step: 3 },
      { type: 'integer', minimum: 0, maximum: 9, multipleOf: 3 },
    ],
    [
      { type: 'number', min: 1, step: 2 },
      { type: 'number', minimum: 1 },
    ],
    [
      { type: 'multi_select', options: [{ value: 'x', label: 'x' }] },
      { type: 'array', items: { type: 'string', enum: ['x'] }, uniqueItems: true },
    ],
    [{ type: 'password' }, { type: 'string', writeOnly: true }],
    [
      { type: 'text', secret: true },
      { type: 'string', writeOnly: true },
    ],
    [
      { type: 'text', pattern: '^a$' },
      { type: 'string', pattern: '^a$' },
    ],
    [{ type: 'text', pattern: '(?i)a\\z' }, { type: 'string' }],
    [{ type: 'email' }, { type: 'string', format: 'email' }],
    [{ type: 'date' }, { type: 'string', format: 'date' }],
    [{ type: 'datetime' }, { type: 'string', format: 'date-time' }],
    [
      { type: 'confirm', default: true },
      { type: 'boolean', default: true },
    ],
  ])('[J4] describes %j', (field, expected) => {
    expect(property(field)).toEqual(expected);
  });

  it('[J4] describes uploads', () => {
    expect(property({ type: 'file_upload', accept: ['.csv'], maxSizeMb: 5 })).toMatchObject({
      type: 'object',
      'x-upload': 'file_upload',
      accept: ['.csv'],
      maxSizeMb: 5,
      required: ['file_id', 'url', 'name', 'mime', 'size'],
    });
    expect(property({ type: 'image_upload', multiple: true })).toMatchObject({
      type: 'array',
      'x-upload': 'image_upload',
      accept: ['image/*'],
    });
    expect(property({ type: 'signature' })).toMatchObject({ type: 'object', 'x-upload': 'signature' });
  });
});
