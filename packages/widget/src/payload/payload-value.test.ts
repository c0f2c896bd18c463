import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strings as german } from '../strings/de.ts';
import { english } from '../strings/en.ts';
import { readNode, type Schema, Unreadable } from './node.ts';
import { payloadProblems } from './payload-problems.ts';
import { initialPayload, isDrawable, payloadOf } from './payload-value.ts';

const kindOf = (schema: unknown) => readNode(schema as Schema, schema as Schema).kind;

describe('the form', () => {
  it.each([
    ['a text', { type: 'string' }, 'text'],
    ['a text by its bounds', { minLength: 1 }, 'text'],
    ['a number', { type: 'integer' }, 'number'],
    ['a box', { type: 'boolean' }, 'boolean'],
    ['consent', { const: true }, 'boolean'],
    ['what cannot be otherwise', { const: 'x' }, 'fixed'],
    ['values of any type', { enum: [1, 'two', null] }, 'options'],
    ['named values', { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }, 'options'],
    ['several of some', { type: 'array', items: { enum: ['a', 'b'] } }, 'many'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'list'],
    ['parts', { properties: { a: {} } }, 'object'],
    ['parts by reference', { $ref: '#/$defs/a', $defs: { a: { properties: { b: {} } } } }, 'object'],
    ['parts of several', { allOf: [{ properties: { a: {} } }, { required: ['a'] }] }, 'object'],
    ['one of several forms', { oneOf: [{ type: 'string' }, { properties: { a: {} } }] }, 'branches'],
    ['one form or nothing', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text'],
    ['a type or nothing', { type: ['number', 'null'] }, 'number'],
    ['anything', {}, 'json'],
    ['one of several types', { type: ['string', 'number'] }, 'json'],
    ['an object without names', { type: 'object' }, 'json'],
    ['a tuple', { type: 'array', prefixItems: [{}] }, 'json'],
  ])('[WI40] %s', (_name, schema, kind) => expect(kindOf(schema)).toBe(kind));
});

const order = {
  type: 'object',
  required: ['name', 'tags', 'note', 'terms', 'address', 'kind'],
  properties: {
    name: { type: 'string', title: 'Name' },
    nick: { type: 'string', default: 'none' },
    age: { type: 'integer', minimum: 18 },
    tags: { type: 'array', items: { type: 'string' } },
    links: { type: 'array', items: { type: 'string' } },
    note: { type: ['string', 'null'] },
    terms: { type: 'boolean' },
    kind: { const: 'order' },
    address: { type: 'object', required: ['city'], properties: { city: { type: 'string', title: 'City' } } },
    second: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
} as Schema;

it('[WI40] begins with defaults and constants', () => {
  expect(initialPayload(order, order)).toEqual({ nick: 'none', terms: false, kind: 'order', address: {} });
});

it('[WI40] leaves out empty optional values, and sends required values that may be empty', () => {
  const entered = { name: 'Ann', age: undefined, links: [], second: undefined, more: 1, address: { city: 'Bonn' } };
  expect(payloadOf(order, order, entered)).toEqual({
    ...{ name: 'Ann', tags: [], note: null, more: 1, address: { city: 'Bonn' } },
  });
});

it('[WI40] finds missing and invalid values, in the order of the form', () => {
  const found = payloadProblems(order, 'Order', english).find({
    age: 3,
    terms: true,
    address: {},
    second: new Unreadable('{'),
  });
  expect(found.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/payload/name Name: fill this in.',
    '/payload/age age: enter 18 or more.',
    '/payload/address/city City: fill this in.',
    '/payload/second This is not valid JSON.',
  ]);
});

it.each([
  ['required', '/payload/name', 'Name: fill this in.', 'Name: Bitte füllen Sie dieses Feld aus.'],
  ['minimum', '/payload/age', 'said by the server', 'age: Bitte geben Sie 18 oder mehr ein.'],
  ['dependentRequired', '/payload', 'said by the server', 'said by the server'],
])('[WI40] says what the server found (%s) in the language of the person', (code, pointer, inEnglish, inGerman) => {
  const problem = { pointer, code, message: 'said by the server' };
  const say = (strings: typeof english) => payloadProblems(order, 'Order', strings).describe(problem, {});
  expect([say(english), say(german)]).toEqual([inEnglish, inGerman]);
});

it('[WI40] accepts every address that a schema accepts', () => {
  const schema = { properties: { at: { type: 'string', format: 'uri' } } } as Schema;
  expect(payloadProblems(schema, 'It', english).find({ at: 'mailto:ann@example.com' })).toEqual([]);
});

describe('any schema', () => {
  it('[WI41] a schema that doubles itself again and again is not drawn, and is read quickly', () => {
    const $defs: Record<string, Schema> = { d0: { type: 'string' } };
    for (let level = 1; level <= 30; level++) {
      const below = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { type: 'object', required: ['a', 'b'], properties: { a: below, b: below } };
      $defs[`e${level}`] = { allOf: [{ $ref: `#/$defs/e${level - 1}` }, { $ref: `#/$defs/e${level - 1}` }] };
    }
    const root = { $ref: '#/$defs/d30', $defs } as Schema;
    expect(isDrawable(root)).toBe(true);
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { $ref: '#/$defs/d30' }]));
    expect(isDrawable({ type: 'object', required: Object.keys(wide), properties: wide, $defs } as Schema)).toBe(false);
    expect(readNode({ $ref: '#/$defs/e30' }, root).kind).toBe('json');
  });

  it('[WI41] never throws', () => {
    const small = fc.jsonValue({ maxDepth: 1 });
    const few = (tie: fc.LetrecTypedTie<{ node: unknown }>) => fc.array(tie('node'), { minLength: 1, maxLength: 2 });
    const schema = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.boolean(),
        fc.record(
          {
            ...{ title: small, default: small, const: small, examples: small },
            type: fc.constantFrom('string', 'integer', 'boolean', 'object', 'array', 'null', ['string', 'null']),
            enum: fc.array(small, { minLength: 1, maxLength: 3 }),
            $ref: fc.constantFrom('#', '#/items', '#/properties/a', '#/%', 'elsewhere'),
            items: tie('node'),
            properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('node'), { maxKeys: 3 }),
            required: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
            ...{ oneOf: few(tie), anyOf: few(tie), allOf: few(tie) },
          },
          { requiredKeys: [] },
        ),
      ),
    })).node;
    fc.assert(
      fc.property(schema, fc.jsonValue(), (any, value) => {
        const root = (typeof any === 'object' ? any : {}) as Schema;
        if (!isDrawable(root)) return;
        initialPayload(root, root);
        payloadOf(root, root, value);
        const problems = payloadProblems(root, 'It', english);
        problems.find(value);
        expect(problems.describe({ pointer: '/payload/a', code: 'type', message: 'said' }, value)).toEqual(
          expect.any(String),
        );
      }),
      { numRuns: 400, seed: 7 },
    );
  });
});
