/** Random JSON Schemas of the kind people send: sound, and within what TypeBox and we both support. */
import fc from 'fast-check';

const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 2.5, -3, '', 'a', 'ab', 'x1', '2024-02-29');
const key = fc.constantFrom('a', 'b', 'x1', 'c');
const small = fc.integer({ min: 0, max: 3 });

function payload(depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return scalar;
  const inner = payload(depth - 1);
  return fc.oneof(scalar, fc.array(inner, { maxLength: 3 }), fc.dictionary(key, inner, { maxKeys: 3 }));
}
export const arbitraryPayload = payload(2);

/** An object with one to three of these keywords. */
function someOf(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, keywords[name] ?? fc.constant(0)]))));
}

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const leaf = someOf({
  type: fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 2, maxLength: 4 })),
  enum: fc.array(arbitraryPayload, { minLength: 1, maxLength: 3 }),
  const: payload(1),
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom('^a', '\\d', 'b$'),
  format: fc.constantFrom('date', 'unheard-of'),
  minimum: small,
  maximum: small,
  exclusiveMinimum: small,
  exclusiveMaximum: small,
  multipleOf: fc.constantFrom(1, 2, 0.5),
  minItems: small,
  maxItems: small,
  uniqueItems: fc.boolean(),
  minProperties: small,
  maxProperties: small,
  required: fc.uniqueArray(key, { maxLength: 2 }),
  dependentRequired: fc.dictionary(key, fc.uniqueArray(key, { maxLength: 2 }), { maxKeys: 1 }),
  title: fc.constant('A title'),
});

function schema(depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return fc.oneof({ weight: 5, arbitrary: leaf }, { weight: 1, arbitrary: fc.boolean() });
  const inner = schema(depth - 1);
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const branches = someOf({
    $ref: fc.constantFrom('#/$defs/one', '#/$defs/two'),
    properties: fc.dictionary(key, inner, { maxKeys: 2 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '\\d'), inner, { maxKeys: 2 }),
    additionalProperties: inner,
    propertyNames: leaf,
    dependentSchemas: fc.dictionary(key, inner, { maxKeys: 1 }),
    prefixItems: list,
    items: inner,
    contains: inner,
    minContains: small,
    maxContains: small,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    then: inner,
    else: inner,
  });
  return fc.oneof({ weight: 3, arbitrary: branches }, { weight: 1, arbitrary: leaf });
}

export const arbitrarySchema: fc.Arbitrary<object> = fc
  .record({ root: schema(2), one: leaf, two: leaf })
  .map(({ root, one, two }) => ({
    ...(root as object),
    $defs: { one, two: { type: 'object', properties: { a: { $ref: '#/$defs/two' } }, ...two } },
  }));
