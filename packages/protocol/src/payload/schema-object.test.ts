import { expect, test } from 'vitest';
import { hasSecret } from './schema-object.ts';

test.each([
  [{ properties: { pin: { type: 'string', format: 'password' } } }, true],
  [{ items: { anyOf: [{ type: 'null' }, { writeOnly: true }] } }, true],
  [{ $ref: '#/$defs/pin', $defs: { pin: { format: 'password' } } }, true],
  [{ description: 'a "format":"password"' }, false],
  [{ properties: { pin: { type: 'string', writeOnly: false } } }, false],
  [true, false],
  [undefined, false],
])('[DR2][WI13] something secret is asked for: %j is %s', (schema, isSecret) => {
  expect(hasSecret(schema)).toBe(isSecret);
});
