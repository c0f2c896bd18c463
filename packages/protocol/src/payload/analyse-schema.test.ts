import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { checkPayloadSchema, validatePayload } from '../payload-schema.ts';

const faults = (schema: unknown) => checkPayloadSchema(schema, '').map(({ pointer, code }) => `${pointer} ${code}`);

describe('checkPayloadSchema', () => {
  it.each([
    ['[P1] takes only an object', true, [' type']],
    ['[P1] takes only an object, no list', [], [' type']],
    ['[P1] takes an empty schema', {}, []],
    ['[P1] refuses a schema too large', { title: 'x'.repeat(limits.payloadSchemaBytes) }, [' too-large']],
    [
      '[P1] refuses the key __proto__',
      JSON.parse('{"properties":{"__proto__":{}}}'),
      ['/properties/__proto__ forbidden-key'],
    ],
    [
      '[P1] finds every fault',
      { type: 'text', required: 'a', minLength: -1, properties: { a: 3, b: { enum: [] } } },
      ['/type type', '/required required', '/minLength minLength', '/properties/b/enum enum', '/properties/a type'],
    ],
    [
      '[P1] wants lists of schemas',
      { allOf: [], anyOf: {}, properties: [] },
      ['/allOf allOf', '/anyOf anyOf', '/properties properties'],
    ],
    [
      '[P1] wants counts and numbers',
      { maxItems: 1.5, minimum: '1', multipleOf: 0, uniqueItems: 1 },
      ['/maxItems maxItems', '/minimum minimum', '/multipleOf multipleOf', '/uniqueItems uniqueItems'],
    ],
    ['[P2] refuses a $ref to elsewhere', { $ref: 'https://example.com/schema' }, ['/$ref $ref']],
    ['[P2] refuses a $ref to nowhere', { properties: { a: { $ref: '#/$defs/a' } } }, ['/properties/a/$ref $ref']],
    [
      '[P2] refuses a $ref into what is no schema',
      { enum: [{ type: 'string' }], properties: { a: { $ref: '#/enum/0' } } },
      ['/properties/a/$ref $ref'],
    ],
    ['[P2] refuses a $ref that cannot be decoded', { $ref: '#/%E0%A4%A' }, ['/$ref $ref']],
    ['[P2] reads escapes in a $ref', { $defs: { 'a/b c': {} }, $ref: '#/$defs/a~1b%20c' }, []],
    ['[P2] refuses a schema that is itself', { $ref: '#' }, [' ref-cycle']],
    [
      '[P2] refuses a circle through allOf and not',
      { $defs: { a: { allOf: [{ not: { $ref: '#/$defs/b' } }] }, b: { if: { $ref: '#/$defs/a' } } } },
      ['/$defs/b ref-cycle'],
    ],
    [
      '[P2] takes recursion that looks at another value',
      { properties: { child: { $ref: '#' } }, items: { $ref: '#' } },
      [],
    ],
    [
      '[P2] refuses what it would have to ignore',
      { $dynamicRef: '#a', unevaluatedProperties: false, items: [{}], properties: { a: { $id: 'x' } } },
      [
        '/$dynamicRef unsupported-keyword',
        '/unevaluatedProperties unsupported-keyword',
        '/items items',
        '/properties/a/$id unsupported-keyword',
      ],
    ],
    [
      '[P2] takes unknown keywords for notes',
      {
        'x-order': 1,
        $comment: 'hi',
        $id: 'urn:x',
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        deprecated: true,
      },
      [],
    ],
    [
      '[P3] limits how many patterns there are',
      { patternProperties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}`, {}])) },
      ['/patternProperties too-many-patterns'],
    ],
    [
      '[P3] refuses patterns RE2 has not',
      { pattern: '(?=a)', patternProperties: { '(a)\\1': {} } },
      ['/pattern pattern', '/patternProperties/(a)\\1 pattern'],
    ],
  ] as [string, unknown, string[]][])('%s', (_name, schema, expected) => {
    expect(faults(schema).toSorted()).toEqual(expected.toSorted());
  });

  it('[P1] refuses a schema too deep', () => {
    let schema: object = {};
    for (let i = 0; i < 40; i++) schema = { not: { not: schema } };
    expect(checkPayloadSchema(schema).map((p) => p.code)).toEqual(['too-deep']);
  });

  it('[P1] never throws, whatever the JSON', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      '$defs',
      'allOf',
      'pattern',
      'patternProperties',
      'enum',
      'required',
      'if',
      'dependentRequired',
      '$id',
      'constructor',
    );
    const junk = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.dictionary(keyword, tie('node')),
        fc.array(tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(junk, fc.jsonValue(), (schema, payload) => {
        const bad = checkPayloadSchema(schema).length > 0;
        const result = validatePayload(schema, payload);
        if (bad) expect(result.map((p) => p.code)).toEqual(['schema']);
      }),
      { numRuns: 1500 },
    );
  });
});
