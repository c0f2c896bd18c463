import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { arbitraryPayload, arbitrarySchema } from '../test/arbitrary-schema.ts';
import { limits } from './limits.ts';
import { checkPayloadSchema, validatePayload } from './payload-schema.ts';

const problems = (schema: unknown, payload: unknown) =>
  validatePayload(schema, payload, '').map(({ pointer, code }) => `${pointer} ${code}`);

const doubling = (levels: number) => {
  const $defs: Record<string, unknown> = { [`d${levels}`]: { type: 'string' } };
  for (let i = 0; i < levels; i++)
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  return { $defs, $ref: '#/$defs/d0' };
};

describe('validatePayload', () => {
  it('[P4] judges as TypeBox does, wherever TypeBox can be trusted', () => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(arbitrarySchema, arbitraryPayload, (schema, payload) => {
        expect(checkPayloadSchema(schema)).toEqual([]);
        const ours = validatePayload(schema, payload).length === 0;
        expect(ours).toBe(Check(schema as object, payload));
        if (ours) accepted++;
        else refused++;
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(500);
  });

  it.each([
    ['names what is missing', { required: ['a', 'b/c'] }, {}, ['/a required', '/b~1c required']],
    [
      'names what is too much',
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, b: 2 },
      ['/b additionalProperties'],
    ],
    [
      'follows patternProperties',
      { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
      { n_a: 'x', b: 1 },
      ['/n_a type', '/b additionalProperties'],
    ],
    [
      'goes into items',
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      [1, 2, 'x'],
      ['/0 type', '/2 type'],
    ],
    [
      'follows recursion',
      { properties: { next: { $ref: '#' }, v: { type: 'number' } } },
      { next: { next: { v: 'x' } } },
      ['/next/next/v type'],
    ],
    ['counts contains', { contains: { const: 1 }, minContains: 2 }, [1, 2], [' contains']],
    ['counts code points', { maxLength: 1 }, '\u{1F600}', []],
    [
      'speaks of the nearest branch',
      { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] },
      {},
      ['/a required'],
    ],
    ['says when no branch is near', { anyOf: [{ type: 'string' }, { type: 'number' }] }, {}, [' anyOf']],
    ['refuses two branches of oneOf', { oneOf: [{}, {}] }, 1, [' oneOf']],
    [
      'finds equal items',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [' uniqueItems'],
    ],
    [
      'asserts formats',
      {
        properties: {
          d: { format: 'date' },
          t: { format: 'date-time' },
          e: { format: 'email' },
          u: { format: 'uri' },
          i: { format: 'uuid' },
          x: { format: 'colour' },
        },
      },
      { d: '2023-02-29', t: 'now', e: 'x', u: 'a b', i: '1', x: 'y' },
      ['/d format', '/t format', '/e format', '/u format', '/i format'],
    ],
    [
      'takes formats that fit',
      { properties: { t: { format: 'time' }, u: { format: 'uri' }, i: { format: 'uuid' } } },
      { t: '10:00:00Z', u: 'urn:a:b', i: '0190b3c4-0000-7000-8000-000000000000' },
      [],
    ],
  ] as [string, unknown, unknown, string[]][])('[P4] %s', (_name, schema, payload, expected) => {
    expect(problems(schema, payload)).toEqual(expected);
  });

  it('[P4] says what to do in sentences', () => {
    const schema = {
      properties: {
        env: { title: 'Environment', enum: ['staging', 'production'] },
        n: { type: 'integer' },
        c: {
          oneOf: [
            { const: 1, title: 'One' },
            { const: 2, title: 'Two' },
          ],
        },
      },
    };
    expect(validatePayload(schema, { env: 'x', n: 'y', c: 3 }).map((p) => p.message)).toEqual([
      'Environment must be one of staging, production.',
      'n must be an integer.',
      'c must be one of One, Two.',
    ]);
  });

  it('[P5] counts only own properties', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(problems({ required: [name] }, {})).toEqual([`/${name} required`]);
      expect(problems({ additionalProperties: false, properties: { a: {} } }, { [name]: 1 })).toEqual([
        `/${name} additionalProperties`,
      ]);
      expect(problems({ properties: { [name]: { type: 'string' } } }, {})).toEqual([]);
      expect(problems({ properties: { [name]: { type: 'string' } } }, { [name]: 1 })).toEqual([`/${name} type`]);
      expect(problems({ dependentRequired: { [name]: ['b'] }, dependentSchemas: { [name]: false } }, {})).toEqual([]);
    }
  });

  it('[P3] matches patterns in linear time, also those of property names', () => {
    const text = `${'a'.repeat(40)}!`;
    expect(problems({ pattern: '^(a+)+$' }, text)).toEqual([' pattern']);
    expect(problems({ patternProperties: { '^(a+)+$': false } }, { [text]: 1 })).toEqual([]);
  });

  it.each([
    ['references that double', doubling(30), 'x'],
    [
      'a long list of values for every item',
      { items: { enum: Array.from({ length: 9000 }, (_, i) => `${i}`) } },
      Array(60_000).fill('x'),
    ],
    [
      'many required names for every item',
      { items: { required: Array.from({ length: 9000 }, (_, i) => `${i}`) } },
      Array(60_000).fill({}),
    ],
    [
      'many patterns for every name',
      { patternProperties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}$`, {}])) },
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1])),
    ],
    [
      'many costly patterns for one text',
      { allOf: Array.from({ length: 100 }, (_, i) => ({ pattern: `a[ab]{400}[c${i}]` })) },
      'ab'.repeat(100_000),
    ],
  ])('[P6] gives up on %s', (_name, schema, payload) => {
    expect(problems(schema, payload)).toEqual([' too-complex']);
  });

  it('[P6] gives up on schemas that nest too deep together with the payload', () => {
    const $defs: Record<string, unknown> = { d900: {} };
    for (let i = 0; i < 900; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i + 1}` };
    expect(problems({ $defs, $ref: '#/$defs/d0' }, 1)).toEqual([' too-complex']);
  });

  it('[P6] is done with a large honest answer', () => {
    const schema = {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'tags'],
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9-]+$' },
          tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
        },
        additionalProperties: false,
      },
    };
    expect(
      problems(
        schema,
        Array.from({ length: 4000 }, (_, i) => ({ id: `item-${i}`, tags: ['a', 'b'] })),
      ),
    ).toEqual([]);
  });

  it('[P6] limits the payload and the problems', () => {
    expect(problems({}, 'x'.repeat(limits.valuesBytes))).toEqual([' too-large']);
    expect(problems({ items: false }, Array(10_000).fill(1))).toHaveLength(limits.problems);
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(validatePayload({}, deep).map((p) => p.code)).toEqual(['too-deep']);
  });
});
