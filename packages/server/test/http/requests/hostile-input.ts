/** Junk and near misses: what is almost valid, and what no client would send. */
import { fieldSchemas } from '@holdpoint/protocol';
import fc from 'fast-check';

type Node = Record<string, unknown>;

const longText = fc.constantFrom('x'.repeat(300), 'x'.repeat(2_001), '\u{1F4A9}'.repeat(1_100), 'a'.repeat(120_000));

const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00x',
    '\u202e',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'NaN',
    '../../etc/passwd',
    "'; DROP TABLE threads; --",
    '%00',
    '((a+)+)+$',
    '2030-13-45T99:99:99Z',
    '0000000000000000',
    '9'.repeat(400),
  ),
  longText,
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const hostileNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.1,
  1e-300,
  1e21,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 31),
  4_294_967_296,
);

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
};

const hostileObject = fc.oneof(
  fc.constantFrom(
    {},
    [],
    [[]],
    [null],
    { length: 1 },
    { toString: 1 },
    { constructor: 1 },
    { hasOwnProperty: 'x', valueOf: null },
    { toJSON: 'x' },
    { $ref: '#' },
    nested(31, (inner) => ({ inner })),
    nested(40, (inner) => [inner]),
    nested(70, (inner) => ({ inner })),
    Array.from({ length: 600 }, (_, i) => i),
    Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, i])),
  ),
  fc.object({ maxDepth: 2, maxKeys: 4 }),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  hostileObject,
  fc.constantFrom<unknown>(null, true, false),
);

/** Values of our own schemas: valid by their shape, which is what gets them past the first check. */
export function ofShape(schema: unknown): fc.Arbitrary<unknown> {
  const node = schema as Node;
  if (node['x-schema'] === 'Field') return fc.oneof(...Object.values(fieldSchemas).map(ofShape), hostileValue);
  if (Array.isArray(node.anyOf)) return fc.oneof(...node.anyOf.map(ofShape));
  if (Array.isArray(node.enum)) return fc.constantFrom(...node.enum);
  if ('const' in node) return fc.constant(node.const);
  switch (node.type) {
    case 'object':
      return objectOf(node);
    case 'array':
      return fc.array(ofShape(node.items), { minLength: Number(node.minItems ?? 0), maxLength: 4 });
    case 'string':
      return fc.oneof(
        fc.constantFrom('a', 'yes', 'text', 'choice', 'decision', 'ada', '2099-01-31T12:00:00Z'),
        fc.string({ minLength: Number(node.minLength ?? 0), maxLength: 12 }),
      );
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(node.minimum ?? 0), max: Math.min(Number(node.maximum ?? 10), 1_000_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.constantFrom('yes', true, null), hostileObject);
  }
}

function objectOf(node: Node): fc.Arbitrary<unknown> {
  const properties = node.properties as Node | undefined;
  if (!properties)
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string({ maxLength: 8 }), fc.integer()), {
      maxKeys: 4,
    });
  const required = (node.required ?? []) as string[];
  const values = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, ofShape(each)]));
  return fc.record(values, { requiredKeys: required });
}

const strangeKeys = [
  '',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'extra',
  '\u0000',
  '\ud800',
  'a/b~c',
  '0',
  'x'.repeat(5_000),
];

/** The value with some of its places replaced, removed, doubled or added to. */
export function nearMiss(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    where: fc.array(fc.nat(7), { maxLength: 4 }),
    how: fc.constantFrom('replace', 'replace', 'remove', 'add', 'wrap'),
    key: fc.constantFrom(...strangeKeys),
    value: hostileValue,
  });
  return fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) =>
      changes.reduce<unknown>(
        (before, { where, how, key, value: hostile }) => mutate(before, where, how, key, hostile),
        value,
      ),
    );
}

function mutate(value: unknown, where: number[], how: string, key: string, hostile: unknown): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const [first, ...rest] = where;
  if (first === undefined || keys.length === 0)
    return how === 'wrap' ? [value] : how === 'add' ? withKey(value, key, hostile) : hostile;
  const picked = keys[first % keys.length] ?? '';
  const inner = (value as Node)[picked];
  if (how === 'remove' && rest.length === 0) {
    if (Array.isArray(value)) return value.filter((_, index) => String(index) !== picked);
    return Object.fromEntries(Object.entries(value as Node).filter(([name]) => name !== picked));
  }
  return withKey(value, picked, mutate(inner, rest, how, key, hostile));
}

/** Sets a key as own property, __proto__ too, as JSON.parse would. */
function withKey(value: unknown, key: string, inner: unknown): unknown {
  if (Array.isArray(value)) return Number(key) < value.length ? value.with(Number(key), inner) : [...value, inner];
  if (typeof value !== 'object' || value === null) return inner;
  const entries = Object.entries(value).filter(([name]) => name !== key);
  return Object.fromEntries([...entries, [key, inner]]);
}

/** Text that is no JSON, or JSON of the kind that parsers dislike. */
export const junkText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '{',
    '[',
    '{"a":1,}',
    '{"a":NaN}',
    '{"a":1e999}',
    '{"a":-1e999}',
    '{"title":1e400}',
    '{"__proto__":{"title":"x"}}',
    '{"title":"\\ud800"}',
    '{"title":"a","title":"b"}',
    '\u0000',
    '\ufeff{}',
    '[1,2,3]',
    '"text"',
    'null',
    '7',
    '['.repeat(5_000),
    `{"title":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
  ),
  fc.string({ maxLength: 40 }),
  fc.json({ maxDepth: 3 }),
);

/** A part of a path, already percent-encoded, or not quite. */
export const pathPart: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    '%zz',
    '%',
    '%ff',
    '..',
    '.',
    '%2e%2e',
    '%2f',
    '%20',
    '__proto__',
    'constructor',
    'null',
    '~',
    ';a=b',
    '%F0%9F%92%A9',
    'x'.repeat(257),
    'x'.repeat(1_500),
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(encodeURIComponent),
);

export const junkQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '&&&',
    '=',
    '%',
    'a=%zz',
    '__proto__=1',
    'constructor=1',
    'limit=1&limit=2',
    'limit[]=1',
    'cursor=%00',
  ),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          'limit',
          'cursor',
          'after',
          'timeoutMs',
          'status',
          'threadId',
          'types',
          'key',
          'order',
          'nonsense',
        ),
        fc.oneof(
          fc.constantFrom(
            '',
            '0',
            '-1',
            '1',
            '200',
            '201',
            '1e3',
            'NaN',
            '9'.repeat(15),
            '9'.repeat(16),
            '9'.repeat(400),
            'true',
            'start',
            'pending',
            '%00',
            '%F0%9F%92%A9',
            '0000000000000001',
            'null',
            'x'.repeat(300),
          ),
          fc.string({ unit: 'grapheme', maxLength: 8 }).map(encodeURIComponent),
        ),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
);
